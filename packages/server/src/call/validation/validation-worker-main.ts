import { parentPort } from 'node:worker_threads';
import type { JsonSchema } from '@mortise/plugin';
import { compile } from '../../json-schema/compile.js';
import { CHECKS, type Phase, validationFailure } from './validate-arguments.js';
import type { CheckAnswer, CheckRequest, ForgetRequest } from './validation-worker.js';

/** The schemas by number. Each is sent only once. */
const schemas = new Map<number, JsonSchema>();

function answerTo({ check, schemaNumber, schema, json, rules, reportsPhases }: CheckRequest): CheckAnswer {
  if (schema) schemas.set(schemaNumber, schema);
  let phase: Phase = 'read';
  const onPhase = (next: Phase) => {
    phase = next;
    if (reportsPhases) parentPort!.postMessage(next);
  };
  try {
    const value = JSON.parse(json) as never;
    onPhase('check');
    return { found: CHECKS[check](value, schemas.get(schemaNumber)!, onPhase, rules) };
  } catch (error) {
    return { failed: validationFailure(error), in: phase };
  }
}

parentPort!.on('message', (request: CheckRequest | ForgetRequest) => {
  if ('forget' in request) schemas.delete(request.forget);
  else parentPort!.postMessage(answerTo(request));
});
// Load Ajv now, so that the first check does not have to.
compile({});
parentPort!.postMessage('ready');
