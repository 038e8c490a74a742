import type { JsonObject, PromptMessage } from '@mortise/plugin';
import {
  type ErrorOutcome,
  isJsonObject,
  type Outcome,
  type OutcomeBlock,
  type SuccessOutcome,
} from '@mortise/plugin/runtime';
import type { Snapshot, Tool } from '../core/snapshot.js';
import { isFirstParty } from './operations.js';

/** `Tools: one, two` on a line of its own. */
const LIST_LINE = /^([\w ]+: )?([\w.-]+(?:, [\w.-]+)+)$/;

/**
 * What our own texts and data do not name for a principal with a profile: the first-party tools that it does not see,
 * and the actions that its tools lack; free text of hints aside (docs/spec/access.md#mentions). Texts of other plugins
 * are their authors’ words; of those, only calls that are recommended as data are removed.
 */
export class HiddenNames {
  readonly #all: Snapshot;
  readonly #view: Snapshot;
  readonly #tools: ReadonlySet<string>;
  readonly #toolName: RegExp;
  /** A visible tool, and in the same text one of its actions that are hidden. */
  readonly #actions: readonly (readonly [tool: RegExp, action: RegExp])[];

  /** @param view what the principal sees of `all` */
  constructor(all: Snapshot, view: Snapshot) {
    this.#all = all;
    this.#view = view;
    const own = all.tools.filter(isFirstParty);
    const hidden = own.filter(({ name }) => !view.findTool(name));
    this.#tools = new Set(hidden.flatMap(({ name, wireName }) => [name, wireName]));
    this.#toolName = words(this.#tools);
    this.#actions = own.flatMap((tool) => {
      const seen = view.findTool(tool.name);
      const lacking = seen ? actionsOf(tool).filter((action) => !actionsOf(seen).includes(action)) : [];
      return lacking.length > 0 ? [[words([tool.name, tool.wireName]), words(lacking)] as const] : [];
    });
  }

  /** The outcome as the principal may read it. @param isOurs the tool is first-party */
  outcome<O extends Outcome>(outcome: O, isOurs: boolean): O {
    if (outcome.kind === 'input_required') return outcome;
    const seen: SuccessOutcome | ErrorOutcome = outcome.kind === 'error' ? this.#error(outcome) : outcome;
    return (isOurs ? this.#own(seen) : seen) as O;
  }

  /** The messages of a first-party prompt. */
  messages(messages: readonly PromptMessage[]): PromptMessage[] {
    return messages.map((message) => {
      const { content } = message;
      return content.type === 'text'
        ? { ...message, content: { ...content, text: this.#text(content.text) } }
        : message;
    });
  }

  #error(outcome: ErrorOutcome): ErrorOutcome {
    const { errors, codes } = outcome;
    return {
      ...outcome,
      errors: errors.map((error) => this.#withoutHiddenCall(error)),
      ...(codes && {
        codes: Object.fromEntries(Object.entries(codes).map(([code, help]) => [code, this.#withoutHiddenCall(help)])),
      }),
    };
  }

  #withoutHiddenCall<T extends object>(advice: T): T {
    if (!('recommendedAction' in advice) || !this.#isHiddenCall(advice.recommendedAction)) return advice;
    const { recommendedAction, ...rest } = advice;
    return rest as T;
  }

  /** A call of a tool that exists, or with an action that exists, and that the principal does not see. */
  #isHiddenCall(action: unknown): boolean {
    if (!isJsonObject(action) || action.actionKind !== 'CallTool' || typeof action.toolName !== 'string') return false;
    const tool = this.#all.findTool(action.toolName);
    if (!tool) return false;
    const seen = this.#view.findTool(action.toolName);
    const name = isJsonObject(action.arguments) ? action.arguments.action : undefined;
    return !seen || (typeof name === 'string' && actionsOf(tool).includes(name) && !actionsOf(seen).includes(name));
  }

  #own(outcome: SuccessOutcome | ErrorOutcome): SuccessOutcome | ErrorOutcome {
    if (outcome.kind === 'error') {
      const { errors, codes, partialResult } = outcome;
      return {
        ...outcome,
        errors: this.#value(errors),
        ...(codes && { codes: this.#value(codes) }),
        ...(partialResult && { partialResult: this.#value(partialResult) }),
      };
    }
    const { structured, content } = outcome;
    return {
      ...outcome,
      content: content.map((block) => this.#block(block)),
      ...(structured && { structured: this.#value(structured) }),
    };
  }

  #block(block: OutcomeBlock): OutcomeBlock {
    if (block.type === 'json') return { ...block, value: this.#value(block.value) };
    if (block.type !== 'text') return block;
    const data = parseObject(block.text);
    return { ...block, text: data ? JSON.stringify(this.#value(data), null, 2) : this.#text(block.text) };
  }

  /** A copy without members and items that are hidden names, and without hidden calls. */
  #value<T>(value: T): T {
    if (Array.isArray(value))
      return value.filter((item) => !this.#tools.has(item)).map((item) => this.#value(item)) as T;
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(this.#withoutHiddenCall(value)).filter(([name]) => !this.#tools.has(name));
    return Object.fromEntries(entries.map(([name, member]) => [name, this.#value(member)])) as T;
  }

  /** Without the lines that name something hidden; steps are numbered again. */
  #text(text: string): string {
    if (!this.#names(text)) return text;
    let step = 0;
    return text
      .split('\n')
      .map((line) => this.#withoutHiddenItems(line))
      .filter((line) => !this.#names(line))
      .map((line) => line.replace(/^\d+\. /, () => `${++step}. `))
      .join('\n');
  }

  #withoutHiddenItems(line: string): string {
    const [, label = '', items] = LIST_LINE.exec(line) ?? [];
    if (items === undefined) return line;
    const seen = items.split(', ').filter((item) => !this.#tools.has(item));
    return seen.length === 0 ? line : label + seen.join(', ');
  }

  #names(text: string): boolean {
    return this.#toolName.test(text) || this.#actions.some(([tool, action]) => tool.test(text) && action.test(text));
  }
}

/** The actions in the schema of a tool. */
function actionsOf({ definition }: Tool): readonly string[] {
  const { action } = definition.inputSchema.properties ?? {};
  return typeof action === 'object' && Array.isArray(action.enum) ? action.enum.map(String) : [];
}

/** One of the names as a word, not as a part of a path or of a longer name. */
function words(names: Iterable<string>): RegExp {
  const escaped = [...names].map((name) => name.replaceAll('.', '\\.'));
  return escaped.length === 0 ? /(?!)/ : new RegExp(`(?<![\\w./\\\\-])(?:${escaped.join('|')})(?![\\w/\\\\-]|\\.\\w)`);
}

function parseObject(text: string): JsonObject | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
