import type { Completer, PromptMessage } from '../register.js';
import { FAILURE } from '../result-details.js';
import type { PromptEntry } from './catalog.js';
import { MalformedContent, readBlock } from './content-blocks.js';
import { describeValue } from './describe.js';
import { failureOutcome } from './error-outcome.js';
import { failureDetailsOf, unreadable } from './normalise.js';
import type { PromptOutcome } from './outcome.js';
import type { PromptDefinition } from './plugin-instance.js';
import { MalformedRegistration, optionalTexts } from './registered-resources.js';

const MAX_NAME = 128;
const NAME = /^[^\s\p{C}](?:[^\p{C}]*[^\s\p{C}])?$/u;
const RESERVED = /^(?:builtin|mcp)\./i;

/** The entry of a registered prompt, every member read once and checked. @throws MalformedRegistration */
export function readPromptEntry(given: unknown): PromptEntry {
  const complete = new Map<string, Completer>();
  const definition = readPromptDefinition(given, (argument, prompt) => addCompleter(argument, prompt, complete));
  const { name } = definition;
  refuseReserved(name);
  const { get } = given as { get?: unknown };
  if (typeof get !== 'function') throw new MalformedRegistration(`Prompt '${name}' has no get function.`);
  definition.completes = [...complete.keys()];
  const source = given as object;
  return { definition, source, problems: [], complete, get: (...values) => get.apply(source, values) };
}

/** @throws MalformedRegistration for the name of a prompt that no plugin may have */
export function refuseReserved(name: string): void {
  if (RESERVED.test(name))
    throw new MalformedRegistration(`The prompt name '${name}' begins with a reserved prefix (builtin., mcp.).`);
}

/**
 * What a prompt says of itself, as plain data. `completes` is empty.
 * @param onArgument sees each argument that is well formed
 * @throws MalformedRegistration
 */
export function readPromptDefinition(
  given: unknown,
  onArgument: (argument: { name: string }, prompt: string) => void = () => {},
): PromptDefinition {
  if (typeof given !== 'object' || given === null)
    throw new MalformedRegistration(`A prompt is an object, not ${describeValue(given)}.`);
  const { name, title, description, arguments: args } = given as Record<string, unknown>;
  if (typeof name !== 'string' || !NAME.test(name) || name.length > MAX_NAME) {
    throw new MalformedRegistration(`The name of a prompt is 1 to ${MAX_NAME} visible characters.`);
  }
  if (args != null && !Array.isArray(args))
    throw new MalformedRegistration(`The arguments of prompt '${name}' are no array.`);
  const read = (argument: unknown) => {
    const definition = readArgument(argument, name);
    onArgument(argument as { name: string }, name);
    return definition;
  };
  const definition: PromptDefinition = {
    name,
    ...optionalTexts({ title, description }, `prompt '${name}'`),
    arguments: (args ?? []).map(read),
    completes: [],
  };
  const names = new Set(definition.arguments.map((argument) => argument.name));
  if (names.size < definition.arguments.length)
    throw new MalformedRegistration(`Prompt '${name}' has two arguments of one name.`);
  return definition;
}

function addCompleter(
  given: { name: string; complete?: unknown },
  prompt: string,
  completers: Map<string, Completer>,
): void {
  const { name, complete } = given;
  if (complete == null) return;
  if (typeof complete !== 'function')
    throw new MalformedRegistration(`complete of argument '${name}' of prompt '${prompt}' is no function.`);
  completers.set(name, (...args) => complete.apply(given, args));
}

function readArgument(given: unknown, prompt: string): PromptDefinition['arguments'][number] {
  if (typeof given !== 'object' || given === null) {
    throw new MalformedRegistration(`An argument of prompt '${prompt}' is ${describeValue(given)}, not {name}.`);
  }
  const { name, description, required } = given as Record<string, unknown>;
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME)
    throw new MalformedRegistration(`The name of an argument of prompt '${prompt}' is 1 to ${MAX_NAME} characters.`);
  if (required != null && typeof required !== 'boolean') {
    throw new MalformedRegistration(`required of argument '${name}' of prompt '${prompt}' is no boolean.`);
  }
  return {
    name,
    ...optionalTexts({ description }, `argument '${name}' of prompt '${prompt}'`),
    ...(typeof required === 'boolean' && { required }),
  };
}

/** What `get` returned, as messages. Never throws. */
export function normalisePrompt(returned: unknown): PromptOutcome {
  try {
    const details =
      typeof returned === 'object' && returned !== null && FAILURE in returned ? failureDetailsOf(returned) : undefined;
    return details === undefined ? { kind: 'success', ...promptOf(returned) } : failureOutcome(details);
  } catch (error) {
    return unreadable(returned, error);
  }
}

function promptOf(returned: unknown): { description?: string; messages: PromptMessage[] } {
  if (typeof returned === 'string') return { messages: [{ role: 'user', content: { type: 'text', text: returned } }] };
  if (Array.isArray(returned)) return { messages: readMessages(returned) };
  const { messages, description } = (returned ?? {}) as { messages?: unknown; description?: unknown };
  if (!Array.isArray(messages)) {
    throw new MalformedContent(`${describeValue(returned)}; accepted are a string, an array of messages or {messages}`);
  }
  return { ...(typeof description === 'string' && { description }), messages: readMessages(messages) };
}

function readMessages(messages: unknown[]): PromptMessage[] {
  return Array.from(messages, (message, index) => {
    const where = `messages[${index}]`;
    const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
    if (role !== 'user' && role !== 'assistant')
      throw new MalformedContent(`${where} whose role is not 'user' or 'assistant'`);
    const block = typeof content === 'string' ? { type: 'text', text: content } : content;
    return { role, content: readBlock(block, `${where}.content`) };
  });
}
