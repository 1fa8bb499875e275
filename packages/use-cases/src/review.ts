export { listReviewBranches, listReviewCommits } from "./review/list-review-choices.ts";
export { openReview } from "./review/open-review.ts";
export { parseReview } from "./review/parse-review.ts";
export { prepareReview } from "./review/prepare-review.ts";
export { startReview } from "./review/start-review.ts";

export type { ReviewChoice } from "./review/list-review-choices.ts";
