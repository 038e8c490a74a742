import { parentPort } from 'node:worker_threads';
import type { JsonSchema } from '@mortise/plugin';
import type { CheckAnswer, CheckRequest } from './check-thread.js';
import { CHECKS, whyFailed } from './validate.js';

/** By number, as they came: each is sent once. */
const schemas: JsonSchema[] = [];

function answerTo({ check, schemaNumber, schema, value }: CheckRequest): CheckAnswer {
  if (schema) schemas[schemaNumber] = schema;
  try {
    return { found: CHECKS[check](value as never, schemas[schemaNumber]!) };
  } catch (error) {
    return { failed: whyFailed(error) };
  }
}

parentPort!.on('message', (request: CheckRequest) => parentPort!.postMessage(answerTo(request)));
parentPort!.postMessage('ready');
