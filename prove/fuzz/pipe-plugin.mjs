// A plugin whose process writes mutated messages into its pipe to the server, as a hostile plugin can.
// Those that the server's parser refuses are only given to this parser, in the plugin's process.
import { writeSync } from 'node:fs';
import { parseFromWorker } from '../../packages/server/build/run/worker/parse-message.js';
import { createRandom } from '../random.mjs';
import { mutateText, mutateValue } from './mutate.mjs';

const PIPE_FD = 3;
const LOG = { level: 'info', message: 'a', data: { b: 1 } };
const TOOL = { name: 'echo', description: 'd', inputSchema: { type: 'object' } };
const QUESTION = { method: 'elicitation/create', params: { message: 'a', requestedSchema: { type: 'object' } } };

/** A message of each kind that a plugin's process sends (packages/server/src/run/worker/protocol.ts). */
const messages = (id) => [
  { done: id + 1_000_000, value: { content: [{ type: 'text', text: 'a' }] } },
  { progress: id, report: { progress: 1, total: 2, message: 'a' } },
  { log: LOG, id },
  { log: LOG },
  { ask: 1_000_000, id, requests: { q: QUESTION } },
  { elicited: 'e', id },
  { definition: { tools: [TOOL], resources: [], resourceTemplates: [], prompts: [] } },
  { settings: 1, request: { key: 'a' } },
  { resourceUpdated: 'notes://a' },
  { resourceListChanged: true },
];

function write(line) {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(PIPE_FD, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** @param generated values from `generatedValues`, which would take each new process more than a second */
export function register(api, generated) {
  const inputSchema = { type: 'object', properties: { seed: { type: 'integer' }, count: { type: 'integer' } } };
  api.registerTool({
    ...{ name: 'fuzz', description: 'd', inputSchema },
    run({ seed, count }) {
      const random = createRandom(seed);
      for (let index = 0; index < count; index++) {
        const message = mutateValue(random.pick(messages(random.integer(20))), random, generated);
        const text = JSON.stringify(message) ?? 'null';
        // The server ends the process at the first message that its parser refuses, so such a one is the last.
        if (index === count - 1) write(mutateText(text, random).replaceAll('\n', ' '));
        else if (parseFromWorker(JSON.parse(text)) !== undefined) write(text);
      }
      return 'done';
    },
  });
}
