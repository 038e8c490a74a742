import type { CallInput, InputQuestion } from '../call-context.js';
import { checkAnswer, malformedAnswer } from './check-answer.js';
import { MissingCapabilityError, type PreparedQuestion, prepareQuestion } from './input-requests.js';
import { refuseInsideEffect } from './once-effects.js';
import type { InputRequest, InputRequiredOutcome } from './outcome.js';
import type { CallChannel } from './plugin-instance.js';

type Questions = Record<string, PreparedQuestion>;
type Answers = Record<string, unknown>;

/**
 * Asks the questions of one call, except those that were answered in an earlier round. Mode `ask` sends them while the
 * call waits. Mode `retry` collects the questions of one turn of the event loop, and ends the call with `interrupt`.
 */
export function createCallInput(
  channel: CallChannel,
  interrupt: (outcome: InputRequiredOutcome) => Promise<void>,
): CallInput {
  const askLater = askByRetry(interrupt);
  const askOpen: Ask = (questions) =>
    channel.inputMode === 'ask' ? askThroughChannel(channel, questions) : askLater(questions);
  const askedKeys = new Set<string>();
  const pageIds = new Map<string, string>();

  const askAll = async (requests: Record<string, InputQuestion>): Promise<Answers> => {
    refuseInsideEffect();
    const questions = Object.fromEntries(
      Object.entries(requests).map(([key, question]) => [key, prepareQuestion(key, question)]),
    );
    const missing = Object.values(questions).filter(
      ({ kind, request }) => !kind.isAvailable(channel.clientCapabilities, request),
    );
    if (missing.length > 0) throw new MissingCapabilityError(missing);
    for (const [key, { request }] of Object.entries(questions)) {
      reserveKey(askedKeys, key);
      if (request.params.mode === 'url') pageIds.set(key, String(request.params.elicitationId));
    }
    return withEarlierAnswers(channel.answers, questions, askOpen);
  };
  const askOne = (usage: string, key: string, question: InputQuestion) => {
    if (typeof key !== 'string') return handled(Promise.reject<never>(new TypeError(`${usage}: the key is missing.`)));
    return handled(askAll(Object.fromEntries([[key, question]])).then((answers) => answers[key] as never));
  };

  return {
    elicit: (key, request) => askOne('elicit(key, {message, schema})', key, { elicit: request }),
    elicitUrl: (key, request) => askOne('elicitUrl(key, {message, url})', key, { elicitUrl: request }),
    completeUrl(key) {
      const id = pageIds.get(key);
      if (id === undefined) throw new TypeError(`completeUrl: no page was asked for with the key '${key}'.`);
      channel.completeElicitation?.(id);
    },
    sample: (key, request) => askOne('sample(key, {messages, maxTokens})', key, { sample: request }),
    roots: (key) => askOne('roots(key)', key, { roots: true }),
    all: (questions) => handled(askAll(questions) as Promise<never>),
  };
}

/** Prevents a question that is not awaited from ending the process when it is rejected. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Requires unique keys: if two questions shared one, both would get the first answer when the call runs again. */
function reserveKey(askedKeys: Set<string>, key: string): void {
  if (key === '') throw new TypeError('A question needs a key.');
  if (askedKeys.has(key))
    throw new TypeError(`The key '${key}' has already been used. Give every question of a call its own key.`);
  askedKeys.add(key);
}

const requestsOf = (questions: Iterable<[string, PreparedQuestion]>): Record<string, InputRequest> =>
  Object.fromEntries(Array.from(questions, ([key, { request }]) => [key, request]));

/** undefined if there is no answer. @throws QuestionRefusedError if the answer does not fit the question */
async function answerOf(raw: Readonly<Answers> | undefined | null, key: string, question: PreparedQuestion) {
  const { kind, request, validate } = question;
  const answer = raw && Object.hasOwn(raw, key) ? kind.answer(raw[key]) : undefined;
  return answer && checkAnswer(key, request, answer, validate);
}

type Ask = (questions: Questions) => Promise<Answers>;

async function withEarlierAnswers(earlier: Readonly<Answers>, questions: Questions, ask: Ask): Promise<Answers> {
  const answers: [string, unknown][] = [];
  const open: [string, PreparedQuestion][] = [];
  for (const [key, question] of Object.entries(questions)) {
    const answer = await answerOf(earlier, key, question);
    if (answer === undefined) open.push([key, question]);
    else answers.push([key, answer]);
  }
  if (open.length > 0) answers.push(...Object.entries(await ask(Object.fromEntries(open))));
  return Object.fromEntries(answers);
}

async function askThroughChannel(channel: CallChannel, questions: Questions): Promise<Answers> {
  const raw = await channel.requestInput(requestsOf(Object.entries(questions)));
  const answers = Object.entries(questions).map(async ([key, question]) => {
    const answer = await answerOf(raw, key, question);
    if (answer === undefined) throw malformedAnswer(key, question.request);
    return [key, answer] as const;
  });
  return Object.fromEntries(await Promise.all(answers));
}

function askByRetry(interrupt: (outcome: InputRequiredOutcome) => Promise<void>): Ask {
  const open = new Map<string, PreparedQuestion>();
  let callEnd: Promise<never> | undefined;

  const endCall = () =>
    new Promise<never>((_, reject) => {
      setImmediate(async () => {
        await interrupt({ kind: 'input_required', requests: requestsOf(open) });
        reject(new Error('The call is waiting for input, and will restart with the answers.'));
      });
    });

  return (questions) => {
    for (const [key, question] of Object.entries(questions)) open.set(key, question);
    callEnd ??= handled(endCall());
    return callEnd;
  };
}
