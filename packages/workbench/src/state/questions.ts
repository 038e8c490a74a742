import { isObject, type Json, type JsonObject } from '../json/json.js';
import type { Answer, Question, Run } from './run.js';

type Answers = ReadonlyMap<string, Answer>;

/** Callbacks that wait for answers, by the id of the run. */
const waiting = new Map<string, (answers: Answers) => void>();

export function answerQuestions(run: Run, answers: Answers): void {
  const callback = waiting.get(run.id);
  waiting.delete(run.id);
  callback?.(answers);
}

/** Sets the callback that gets the answers to the questions of a run, once. It replaces an earlier callback. */
export function onAnswers(run: Run, callback: (answers: Answers) => void): void {
  waiting.set(run.id, callback);
}

export function dropQuestions(run: Run): void {
  waiting.delete(run.id);
}

/** Reads the questions of an `input_required` result or task. */
export function questionsIn({ inputRequests }: JsonObject): Question[] {
  if (!isObject(inputRequests)) return [];
  return Object.entries(inputRequests).map(([key, value]) => ({
    key,
    method: isObject(value) ? String(value.method) : '',
    params: isObject(value) && isObject(value.params) ? value.params : {},
  }));
}

/** Builds the `inputResponses` of a request. A question without an answer is cancelled. */
export function inputResponses(questions: readonly Question[], answers: Answers): JsonObject {
  return Object.fromEntries(
    questions.map(({ key }) => [key, (answers.get(key) ?? { action: 'cancel' }) as unknown as Json]),
  );
}
