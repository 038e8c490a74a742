/** How many questions of one plugin one principal can have open (docs/spec/plugin-questions.md#open-questions). */
export const MAX_OPEN_QUESTIONS = 32;
