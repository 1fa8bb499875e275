/** All of them. */
export const approvalPolicies = ["untrusted", "on-failure", "on-request", "never"] as const;

/**
 * When a person is asked: `untrusted`: for all but known-safe read commands; `on-failure`: to run again what the
 * sandbox stopped; `on-request`: when the model asks for it; `never`: what would ask is refused.
 */
export type ApprovalPolicy = (typeof approvalPolicies)[number];
