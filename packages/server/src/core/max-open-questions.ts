/**
 * Limit of the unanswered questions that one plugin may have to one principal
 * (docs/spec/plugin-questions.md#open-questions).
 */
export const MAX_OPEN_QUESTIONS = 32;
