import { MAX_WIRE_NAME } from '../../core/wire-names.js';
import { ScaffoldError } from './scaffold-error.js';

/** The forms of a new plugin's name: `my-tool`, `my_tool`, `MyTool`, `My tool`. */
export interface PluginName {
  /** The name of the folder and of the package. */
  readonly plugin: string;
  readonly tool: string;
  readonly className: string;
  readonly title: string;
}

/** The rules of npm, MCP and the loader, in the order in which they are checked. */
const RULES: readonly { isBroken: (name: string) => boolean; problem: string; hint: string }[] = [
  { isBroken: (name) => name === '', problem: 'is empty', hint: 'Give one, such as my-tool.' },
  {
    isBroken: (name) => name.length > MAX_WIRE_NAME,
    problem: `is longer than ${MAX_WIRE_NAME} characters, which several clients do not accept`,
    hint: 'Choose a shorter one.',
  },
  {
    isBroken: (name) => /[/\\]|^\.+$/.test(name),
    problem: 'is a path',
    hint: 'Give the name alone; change into the folder first.',
  },
  { isBroken: (name) => /[A-Z]/.test(name), problem: 'has uppercase letters', hint: 'Use lowercase, as npm wants it.' },
  {
    isBroken: (name) => !/^[a-z0-9]+(?:[-_.][a-z0-9]+)*$/.test(name),
    problem: 'is not allowed',
    hint: 'Use a-z and 0-9, with single - _ or . between them, such as my-tool.',
  },
  {
    isBroken: (name) => /^(?:builtin|mcp)(?:[-_.]|$)/.test(name),
    problem: 'begins with a reserved prefix',
    hint: 'builtin and mcp belong to the server: choose another prefix.',
  },
  {
    isBroken: (name) => /\.(?:test|spec|config)\.|^node_modules$/.test(name),
    problem: 'is ignored in plugins folders',
    hint: 'Leave out .test., .spec. and .config.; node_modules is not a plugin.',
  },
  {
    isBroken: (name) => /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/.test(name),
    problem: 'is reserved on Windows',
    hint: 'Choose another.',
  },
];

/** Derives all forms of a name. @throws ScaffoldError if npm, MCP or the loader does not allow the name */
export function parsePluginName(name: string): PluginName {
  const rule = RULES.find(({ isBroken }) => isBroken(name));
  if (rule) throw new ScaffoldError(`The plugin name ${JSON.stringify(name.slice(0, 80))} ${rule.problem}.`, rule.hint);
  const words = name.split(/[-_.]/);
  return {
    plugin: name,
    tool: name.replaceAll('-', '_'),
    className: classNameOf(words),
    title: capitalise(words.join(' ')),
  };
}

/** Returns a class name that ends in Tool, so that it never hides a class of JavaScript such as Map. */
function classNameOf(words: readonly string[]): string {
  const joined = words.map(capitalise).join('');
  const name = joined.endsWith('Tool') ? joined : `${joined}Tool`;
  return /^\d/.test(name) ? `Tool${name}` : name;
}

const capitalise = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
