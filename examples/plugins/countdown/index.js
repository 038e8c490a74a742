// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin, ok } from '@mortise/plugin';

/** A tool with long calls: it reports its progress, and stops when the call is cancelled. */
export default definePlugin({
  register(api) {
    api.defineTool({
      name: 'countdown',
      title: 'Count down',
      description: 'Counts down to zero and reports each step as progress. Use it to wait for a known time.',
      inputSchema: {
        type: 'object',
        properties: {
          from: { type: 'integer', minimum: 1, maximum: 100, description: 'The number to begin with' },
          stepMs: { type: 'integer', minimum: 1, maximum: 1000, description: 'Milliseconds per step; default 250' },
        },
        required: ['from'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
      timeoutMs: 120_000,

      async run({ from, stepMs = 250 }, { progress, signal }) {
        for (let left = from; left > 0; left--) {
          progress.report(((from - left) / from) * 100, `${left} to go`);
          // Rejects if the call is cancelled or exceeds its timeout, which ends the call.
          await sleep(stepMs, undefined, { signal });
        }
        progress.report(100, 'Lift-off');
        return ok(`Counted down from ${from}.`, { from, stepMs });
      },
    });
  },
});
