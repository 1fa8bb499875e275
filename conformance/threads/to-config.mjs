/** A config.toml whose provider is the scripted model at this address. */
export function toConfig(url) {
  const provider = `[model_providers.test]\nname = "test"\npreset = "openai"\nbase_url = "${url}"\nwire_api = "responses"\n`;
  return `model = "gpt-5"\nmodel_provider = "test"\n${provider}`;
}
