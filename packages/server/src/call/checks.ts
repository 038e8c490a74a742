import type { JsonObject, JsonSchema } from '@mortise/plugin';
import type { OutcomeError } from '@mortise/plugin/host';
import { isQuickCheck } from '../json-schema/check-cost.js';
import { CheckThread } from './check-thread.js';
import type { Tool } from './registry.js';
import { CHECKS } from './validate.js';

type Checked = Pick<Tool, 'plugin' | 'definition'>;

/** A value could not be checked against a schema; the message says why, and does not begin with a capital. */
export class Unchecked extends Error {}

/**
 * Checks values against the schemas of tools. Schemas are their plugins' word, and some take for ever: what is not sure
 * to be quick is done in a thread of that plugin alone, within a second, so that it costs only the plugin's own calls.
 */
export class Checks {
  readonly #threads = new Map<string, CheckThread>();

  /** The violations of a tool's input schema; at once where that is quick. @throws Unchecked */
  arguments(args: JsonObject, tool: Checked): OutcomeError[] | Promise<OutcomeError[]> {
    return this.#run('arguments', args, tool.definition.inputSchema, tool.plugin) as OutcomeError[];
  }

  /** Why a result does not fit a tool's output schema, in one line; at once where that is quick. @throws Unchecked */
  result(value: JsonObject, tool: Checked): string | undefined | Promise<string | undefined> {
    return this.#run('result', value, tool.definition.outputSchema!, tool.plugin) as string;
  }

  close(): void {
    for (const thread of this.#threads.values()) thread.close();
  }

  #run(check: keyof typeof CHECKS, value: JsonObject, schema: JsonSchema, plugin: string): unknown {
    if (isQuickCheck(schema, value)) return CHECKS[check](value, schema);
    const thread = this.#threads.get(plugin) ?? new CheckThread();
    this.#threads.set(plugin, thread);
    return thread.run(check, value, schema).then((answer) => {
      if ('failed' in answer) throw new Unchecked(answer.failed);
      return answer.found;
    });
  }
}
