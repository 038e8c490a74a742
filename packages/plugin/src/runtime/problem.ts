import type { JsonValue } from '../json.js';
import { MAX_NAME_CHARS } from './tool-name.js';

/** `file` is an absolute path. */
export interface ProblemLocation {
  file: string;
  line?: number;
  column?: number;
  /** The export, class or tool with the problem. */
  subject?: string;
}

/** The reason why a plugin, class or tool is refused, or advice for its author. Every problem has a next action. */
export interface PluginProblem {
  severity: 'error' | 'warning';
  code: ProblemCode;
  message: string;
  hint: string;
  location: ProblemLocation;
  data?: JsonValue;
}

/**
 * The codes of problems with plugins, the plugins folder and the settings. Append-only. `load-problem.ts` has the hints of
 * the problems that the plugin runtime finds, and the list of those that are only warnings; the server creates its own
 * with `problem()`. After a change, run `npm run generate`.
 */
export const PROBLEM_CODES = {
  PLUGIN_SYNTAX_ERROR: 'The module does not parse.',
  PLUGIN_DEPENDENCY_MISSING: 'The module imports something that is not installed.',
  PLUGIN_THREW: 'The module threw while it was loaded.',
  NATIVE_MODULE_MISMATCH: 'A native module was built for another version of Node.',
  PLUGIN_UNREADABLE: 'The file or folder cannot be read.',
  PLUGIN_ENTRY_MISSING: 'The entry that package.json names does not exist.',
  PLUGIN_PACKAGE_INVALID: 'The package.json of the plugin is not valid.',
  PLUGIN_LOAD_TIMEOUT: 'The plugin did not load within Plugins.LoadTimeoutMs.',
  PLUGIN_ENDED_PROCESS: 'The process ended while it loaded the plugin.',
  PLUGIN_KIND_UNSUPPORTED: 'This kind of plugin cannot be run here.',
  REGISTER_THREW: 'register(api) threw; its registrations were rolled back.',
  CLASS_CONSTRUCTOR_SHAPE: 'The constructor must take no argument or a PluginContext.',
  CLASS_CONSTRUCTOR_THREW: 'The constructor threw.',
  CLASS_MEMBER_MISSING: 'The class has executeAsync but lacks name, description or inputSchema.',
  EXECUTE_MISSING: 'A class or object looks like a tool, but has no executeAsync.',
  EXPORTS_MISSING: 'The module exports nothing.',
  TOOL_MALFORMED: 'A member of the tool is missing, of the wrong type, or throws when read.',
  TOOL_NAME_INVALID: `The tool name is not valid in MCP: [A-Za-z0-9_.-], 1 to ${MAX_NAME_CHARS} characters.`,
  TOOL_NAME_RESERVED: 'The name begins with builtin. or mcp., which are reserved for the server.',
  TOOL_NAME_DUPLICATE: 'Another tool already has this name, or the same name in the form that clients see.',
  TOOL_SCHEMA_INVALID: 'The schema is not a JSON Schema, or its root is not an object.',
  RESOURCE_MALFORMED: 'A resource lacks a member, or has one of the wrong type.',
  RESOURCE_URI_RESERVED: 'The URI has the scheme mortise:, which is reserved for resources of the server.',
  RESOURCE_LIST_FAILED: 'A template could not list its resources, or listed one that does not fit it.',
  RESOURCE_DUPLICATE: 'Another resource already has this URI.',
  PROMPT_MALFORMED: 'A prompt lacks a member, or has one of the wrong type.',
  PROMPT_DUPLICATE: 'Another prompt already has this name.',
  IMPORT_UNDECLARED:
    'The plugin imports a package that its package.json does not declare; it works only as long as something else installs that package.',
  MEMBER_UNKNOWN: 'A member of the tool is unknown and looks misspelt.',
  SCHEMA_SUSPICIOUS: 'The schema is valid, but probably not what was meant.',
  SCHEMA_TYPE_MISSING: 'The root of the input schema has no type; object was assumed.',
  SCHEMA_MISSING: 'The tool has no input schema; any object is accepted.',
  DESCRIPTION_MISSING: 'The tool has no description; models need it to choose a tool.',
  TITLE_MISSING: 'A tool of defineTool has no title; clients show users its name instead.',
  DESCRIPTION_SUSPICIOUS: 'A text that models read contains hidden characters or an HTML comment.',
  DESCRIPTION_TOO_LONG: 'The description has more than 2,000 characters.',
  TOOL_NAME_AMBIGUOUS: 'The tool name is too long for some clients, or has characters that some clients reject.',
  PLUGIN_DEFINITION_CHANGED: 'The definition of the plugin differs from the one pinned in mortise.lock.json.',
  NAME_PINNED: 'The name is pinned to another plugin in mortise.lock.json.',
  PIN_FILE_INVALID: 'mortise.lock.json cannot be read.',
  PIN_FILE_NOT_WRITTEN: 'mortise.lock.json cannot be written.',
  SERVER_NOT_CONNECTED: 'The mounted server cannot be started or reached, or does not speak MCP.',
  SERVER_LIST_FAILED: 'A list of the mounted server could not be read; its entries are not available.',
  SERVER_NAME_INVALID:
    "The name of a mounted server has characters that tool names cannot have; in the names of its tools they become '_'.",
  DOTNET_NOT_AVAILABLE: 'C# plugins cannot be run: .NET is missing or too old, or the host for them is not built.',
  LIMIT_EXCEEDED: 'A limit for one plugin is exceeded; the message says which.',
  SETTING_MISSING: 'A setting that the plugin needs is missing in Plugins.Settings.',
  SETTING_INVALID: 'A setting of the plugin in Plugins.Settings is wrong.',
  SETTING_UNAVAILABLE:
    'A reference to an environment variable or file in the settings of the plugin or mounted server cannot be fetched.',
  SETTING_UNKNOWN: 'A key in Plugins.Settings is not a setting of the plugin.',
  SETTING_SECTION_UNKNOWN: 'A section of Plugins.Settings matches no plugin.',
  PROFILE_NAME_UNKNOWN: 'A profile names a tool, action, plugin, prompt or resource that does not exist.',
  SETTINGS_NOT_RELOADED: 'The settings could not be read again at a reload; the former ones apply.',
  PLUGIN_NAME_DUPLICATE: 'Another plugin has the same name in definePlugin.',
  CLASS_NOT_LOADED: 'A class of a C# plugin cannot be loaded with the assemblies next to it.',
  PLUGIN_NOT_INSTALLED: 'A package of Plugins.Packages is not installed.',
  DEFINITION_INVALID: 'defineTool or definePlugin was called with invalid options.',
  PLUGIN_FOLDER_IGNORED: 'A folder in the plugins folder contains code, but no entry file of a plugin.',
  EXPORT_NOT_PLUGIN: 'The module exports tools in a form that is not supported.',
  PLUGIN_API_MISMATCH: 'The plugin was made for another version of @mortise/plugin than the one of the server.',
  SCHEMA_UNCHECKED:
    'A part of a schema of a mounted server is not JSON Schema. The tool is listed, and this part is not checked.',
  SERVER_LIST_INCOMPLETE:
    'A list of the mounted server is endless or too long. Only the entries up to the limit are used.',
  TOOL_NOT_PORTABLE: 'Some hosts drop or refuse a tool with such a name or inputSchema, although MCP allows it.',
  HIDDEN_TEXT_REFUSED:
    'A definition contains hidden text, and Plugins.OnChange is refuse. It is left out until it is accepted.',
  PLUGIN_NOT_LOCKED: 'Plugins.RequireLockfile is true, and the lock file does not have the package as it is installed.',
  PLUGIN_NOT_CONFINED:
    'Plugins.Confine concerns the plugin, and cannot be enforced on this Node.js, or for this kind of plugin.',
} as const;

export type ProblemCode = keyof typeof PROBLEM_CODES;
