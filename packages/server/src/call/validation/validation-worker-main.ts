import { parentPort } from 'node:worker_threads';
import type { JsonSchema } from '@mortise/plugin';
import { compile } from '../../json-schema/compile.js';
import { CHECKS, type Phase, whyNotValid } from './validate-arguments.js';
import type { CheckAnswer, CheckRequest } from './validation-worker.js';

/** Schemas by number, in order of arrival; each is sent once. */
const schemas: JsonSchema[] = [];

function answerTo({ check, schemaNumber, schema, json, rules, reportsPhases }: CheckRequest): CheckAnswer {
  if (schema) schemas[schemaNumber] = schema;
  let phase: Phase = 'read';
  const enter = (next: Phase) => {
    phase = next;
    if (reportsPhases) parentPort!.postMessage(next);
  };
  try {
    const value = JSON.parse(json) as never;
    enter('check');
    return { found: CHECKS[check](value, schemas[schemaNumber]!, enter, rules) };
  } catch (error) {
    return { failed: whyNotValid(error), in: phase };
  }
}

parentPort!.on('message', (request: CheckRequest) => parentPort!.postMessage(answerTo(request)));
// This loads Ajv, so that the first check does not have to.
compile({});
parentPort!.postMessage('ready');
