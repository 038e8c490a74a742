import type { Completer, PromptMessage } from '../register.js';
import { FAILURE } from '../result-details.js';
import type { PromptEntry } from './catalog.js';
import { MalformedContentError, parseBlock } from './content-blocks.js';
import { describeValue } from './describe.js';
import { failureOutcome } from './error-outcome.js';
import { failureDetailsOf, unreadable } from './normalise.js';
import type { PromptOutcome } from './outcome.js';
import type { PromptDefinition } from './plugin-instance.js';
import { MalformedRegistrationError, optionalIcons, optionalMeta, optionalTexts } from './registered-resources.js';
import { MAX_NAME_CHARS, RESERVED_NAME } from './tool-name.js';

const NAME = /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u;

/** Reads a registered prompt. Every member is read once and checked. @throws MalformedRegistrationError */
export function parsePromptEntry(entry: unknown): PromptEntry {
  const complete = new Map<string, Completer>();
  const definition = parsePromptDefinition(entry, (argument, prompt) => addCompleter(argument, prompt, complete));
  const { name } = definition;
  refuseReserved(name);
  const { get } = entry as { get?: unknown };
  if (typeof get !== 'function') throw new MalformedRegistrationError(`Prompt '${name}' has no get function.`);
  definition.completes = [...complete.keys()];
  const source = entry as object;
  return { definition, source, problems: [], complete, get: (...values) => get.apply(source, values) };
}

/** @throws MalformedRegistrationError for a name that is reserved for the server */
export function refuseReserved(name: string): void {
  if (RESERVED_NAME.test(name))
    throw new MalformedRegistrationError(`The prompt name '${name}' begins with a reserved prefix (builtin., mcp.).`);
}

/**
 * Reads the definition of a prompt as plain data. `completes` is empty.
 * @param onArgument called for each valid argument
 * @throws MalformedRegistrationError
 */
export function parsePromptDefinition(
  entry: unknown,
  onArgument: (argument: { name: string }, prompt: string) => void = () => {},
): PromptDefinition {
  if (typeof entry !== 'object' || entry === null)
    throw new MalformedRegistrationError(`A prompt must be an object, not ${describeValue(entry)}.`);
  const { name, title, description, icons, _meta, arguments: args } = entry as Record<string, unknown>;
  if (typeof name !== 'string' || !NAME.test(name) || name.length > MAX_NAME_CHARS) {
    throw new MalformedRegistrationError(`The name of a prompt must have 1 to ${MAX_NAME_CHARS} visible characters.`);
  }
  if (args != null && !Array.isArray(args))
    throw new MalformedRegistrationError(`The arguments of prompt '${name}' are not an array.`);
  const read = (argument: unknown) => {
    const definition = parseArgument(argument, name);
    onArgument(argument as { name: string }, name);
    return definition;
  };
  const definition: PromptDefinition = {
    name,
    ...optionalTexts({ title, description }, `prompt '${name}'`),
    ...optionalIcons(icons, `Prompt '${name}'`),
    ...optionalMeta(_meta, `Prompt '${name}'`),
    arguments: (args ?? []).map(read),
    completes: [],
  };
  const names = new Set(definition.arguments.map((argument) => argument.name));
  if (names.size < definition.arguments.length)
    throw new MalformedRegistrationError(`Prompt '${name}' has a duplicate argument.`);
  return definition;
}

function addCompleter(
  entry: { name: string; complete?: unknown },
  prompt: string,
  completers: Map<string, Completer>,
): void {
  const { name, complete } = entry;
  if (complete == null) return;
  if (typeof complete !== 'function')
    throw new MalformedRegistrationError(`complete of argument '${name}' of prompt '${prompt}' is not a function.`);
  completers.set(name, (...args) => complete.apply(entry, args));
}

function parseArgument(entry: unknown, prompt: string): PromptDefinition['arguments'][number] {
  if (typeof entry !== 'object' || entry === null) {
    throw new MalformedRegistrationError(
      `An argument of prompt '${prompt}' is ${describeValue(entry)}, not an object with a name.`,
    );
  }
  const { name, title, description, required } = entry as Record<string, unknown>;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARS)
    throw new MalformedRegistrationError(
      `The name of an argument of prompt '${prompt}' must have 1 to ${MAX_NAME_CHARS} characters.`,
    );
  if (required != null && typeof required !== 'boolean') {
    throw new MalformedRegistrationError(`required of argument '${name}' of prompt '${prompt}' is not a boolean.`);
  }
  return {
    name,
    ...optionalTexts({ title, description }, `argument '${name}' of prompt '${prompt}'`),
    ...(typeof required === 'boolean' && { required }),
  };
}

/** Converts the return value of `get` to messages. Never throws. */
export function normalisePrompt(returned: unknown): PromptOutcome {
  try {
    const details =
      typeof returned === 'object' && returned !== null && FAILURE in returned ? failureDetailsOf(returned) : undefined;
    return details === undefined ? { kind: 'success', ...promptOf(returned) } : failureOutcome(details);
  } catch (error) {
    return unreadable(returned, error, { subject: 'The prompt', hint: PROMPT_HINT });
  }
}

const PROMPT_HINT = 'Return a string, an array of { role, content } or { messages }.';

function promptOf(returned: unknown): { description?: string; messages: PromptMessage[] } {
  if (typeof returned === 'string') return { messages: [{ role: 'user', content: { type: 'text', text: returned } }] };
  if (Array.isArray(returned)) return { messages: parseMessages(returned) };
  const { messages, description } = (returned ?? {}) as { messages?: unknown; description?: unknown };
  if (!Array.isArray(messages)) {
    throw new MalformedContentError(describeValue(returned));
  }
  return { ...(typeof description === 'string' && { description }), messages: parseMessages(messages) };
}

function parseMessages(messages: unknown[]): PromptMessage[] {
  return Array.from(messages, (message, index) => {
    const where = `messages[${index}]`;
    const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
    if (role !== 'user' && role !== 'assistant')
      throw new MalformedContentError(`${where} whose role is not 'user' or 'assistant'`);
    const block = typeof content === 'string' ? { type: 'text', text: content } : content;
    return { role, content: parseBlock(block, `${where}.content`) };
  });
}
