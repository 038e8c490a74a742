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

/** Matches a line such as `Tools: one, two`. */
const LIST_LINE = /^([\w ]+: )?([\w.-]+(?:, [\w.-]+)+)$/;

/**
 * Removes mentions of first-party tools and actions that a principal with a profile does not see from the results of
 * first-party tools (docs/spec/access.md#mentions). The results of other plugins keep the texts of their authors; only
 * recommended calls are removed from them.
 */
export class HiddenNames {
  readonly #all: Snapshot;
  readonly #view: Snapshot;
  /** The names of hidden tools, in both spellings. */
  readonly #hiddenTools: ReadonlySet<string>;
  readonly #hiddenToolName: RegExp;
  /** For each visible tool with hidden actions: a text mentions one of these if both expressions match. */
  readonly #hiddenActions: readonly (readonly [tool: RegExp, action: RegExp])[];

  /** @param view the part of `all` that the principal sees */
  constructor(all: Snapshot, view: Snapshot) {
    this.#all = all;
    this.#view = view;
    const firstParty = all.tools.filter(isFirstParty);
    const hiddenTools = firstParty.filter(({ name }) => !view.findTool(name));
    this.#hiddenTools = new Set(hiddenTools.flatMap(({ name, wireName }) => [name, wireName]));
    this.#hiddenToolName = wordPattern(this.#hiddenTools);
    this.#hiddenActions = firstParty.flatMap((tool) => {
      const visible = view.findTool(tool.name);
      const hidden = visible ? actionsOf(tool).filter((action) => !actionsOf(visible).includes(action)) : [];
      return hidden.length > 0 ? [[wordPattern([tool.name, tool.wireName]), wordPattern(hidden)] as const] : [];
    });
  }

  /** Removes mentions from an outcome. @param options.isFirstParty the tool ships with the server */
  outcome<O extends Outcome>(outcome: O, options: { readonly isFirstParty: boolean }): O {
    if (outcome.kind === 'input_required') return outcome;
    const visible: SuccessOutcome | ErrorOutcome =
      outcome.kind === 'error' ? this.#withoutHiddenCalls(outcome) : outcome;
    return (options.isFirstParty ? this.#withoutMentions(visible) : visible) as O;
  }

  /** Removes mentions from the messages of a first-party prompt. */
  messages(messages: readonly PromptMessage[]): PromptMessage[] {
    return messages.map((message) => {
      const { content } = message;
      return content.type === 'text'
        ? { ...message, content: { ...content, text: this.#text(content.text) } }
        : message;
    });
  }

  #withoutHiddenCalls(outcome: ErrorOutcome): ErrorOutcome {
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

  /** True if the action calls an existing tool, or an existing action of a tool, that the principal does not see. */
  #isHiddenCall(action: unknown): boolean {
    if (!isJsonObject(action) || action.actionKind !== 'CallTool' || typeof action.toolName !== 'string') return false;
    const tool = this.#all.findTool(action.toolName);
    if (!tool) return false;
    const visible = this.#view.findTool(action.toolName);
    const name = isJsonObject(action.arguments) ? action.arguments.action : undefined;
    return (
      !visible || (typeof name === 'string' && actionsOf(tool).includes(name) && !actionsOf(visible).includes(name))
    );
  }

  #withoutMentions(outcome: SuccessOutcome | ErrorOutcome): SuccessOutcome | ErrorOutcome {
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

  /** Returns a copy without hidden calls, and without members and items that are names of hidden tools. */
  #value<T>(value: T): T {
    if (Array.isArray(value))
      return value.filter((item) => !this.#hiddenTools.has(item)).map((item) => this.#value(item)) as T;
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(this.#withoutHiddenCall(value)).filter(([name]) => !this.#hiddenTools.has(name));
    return Object.fromEntries(entries.map(([name, member]) => [name, this.#value(member)])) as T;
  }

  /** Removes the lines with mentions, and numbers the remaining steps again. */
  #text(text: string): string {
    if (!this.#hasMention(text)) return text;
    let step = 0;
    return text
      .split('\n')
      .map((line) => this.#withoutHiddenItems(line))
      .filter((line) => !this.#hasMention(line))
      .map((line) => line.replace(/^\d+\. /, () => `${++step}. `))
      .join('\n');
  }

  #withoutHiddenItems(line: string): string {
    const [, label = '', items] = LIST_LINE.exec(line) ?? [];
    if (items === undefined) return line;
    const visible = items.split(', ').filter((item) => !this.#hiddenTools.has(item));
    return visible.length === 0 ? line : label + visible.join(', ');
  }

  #hasMention(text: string): boolean {
    return (
      this.#hiddenToolName.test(text) ||
      this.#hiddenActions.some(([tool, action]) => tool.test(text) && action.test(text))
    );
  }
}

/** Returns the actions in a tool's schema. */
function actionsOf({ definition }: Tool): readonly string[] {
  const { action } = definition.inputSchema.properties ?? {};
  return typeof action === 'object' && Array.isArray(action.enum) ? action.enum.map(String) : [];
}

/** Matches any of the names as a word that is not part of a path or of a longer name. */
function wordPattern(names: Iterable<string>): RegExp {
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
