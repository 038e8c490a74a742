import { isObject, type Json, type JsonObject } from '../json/json.js';
import type { Answer, Question, Run } from './run.js';

type Answers = ReadonlyMap<string, Answer>;

/** What waits for answers, by the id of its run. */
const waiting = new Map<string, (answers: Answers) => void>();

/** Continues a run with the answers to its questions. */
export function answerQuestions(run: Run, answers: Answers): void {
  const take = waiting.get(run.id);
  waiting.delete(run.id);
  take?.(answers);
}

/** Called once with the answers to the questions of a run. */
export function onAnswers(run: Run, take: (answers: Answers) => void): void {
  waiting.set(run.id, take);
}

/** No one waits for answers of the run any more. */
export function dropQuestions(run: Run): void {
  waiting.delete(run.id);
}

/** @returns the questions of an `input_required` result or task */
export function questionsIn({ inputRequests }: JsonObject): Question[] {
  if (!isObject(inputRequests)) return [];
  return Object.entries(inputRequests).map(([key, value]) => ({
    key,
    method: isObject(value) ? String(value.method) : '',
    params: isObject(value) && isObject(value.params) ? value.params : {},
  }));
}

/** The answers as they are sent; a question without one is cancelled. */
export function inputResponses(questions: readonly Question[], answers: Answers): JsonObject {
  return Object.fromEntries(
    questions.map(({ key }) => [key, (answers.get(key) ?? { action: 'cancel' }) as unknown as Json]),
  );
}
