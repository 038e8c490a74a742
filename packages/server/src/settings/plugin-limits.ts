import { GIB, KIB, MIB } from '../util/bytes.js';
import { integer, record, setting, type ValueOf } from './setting-schema.js';

const MAX_COUNT = 1_000_000_000;

/**
 * Declares a limit of one plugin or mounted server: its setting, and the texts about it.
 * @param unit the plural noun of what is counted, for messages: `tools`, `bytes`
 * @param beyond what happens if the limit is exceeded, for docs/plugin-limits.md
 * @param advice an imperative that tells the author what to do
 */
const limit = (
  [min, defaultValue, max]: readonly [number, number, number],
  unit: string,
  description: string,
  beyond: string,
  advice = 'Reduce it',
) => ({ ...setting(integer(min, max), defaultValue, description), default: defaultValue, unit, beyond, advice });

const EXCESS_DROPPED = 'Entries beyond the limit are dropped, and a problem reports it. The first ones are kept.';
const ENTRY_DROPPED = 'The entry is dropped, and a problem reports it.';
/** The advice to the author of a result that is too large. */
export const RETURN_LESS = 'Return less, or a resource_link to a resource that holds it';
const NOT_LOADED = 'The file is not read and the plugin is not loaded.';

/**
 * The configurable limits (`Plugins.Limits`) on the memory and work that one plugin or mounted server can cause. Bounds
 * that are the same for all plugins are constants beside the code that checks them. The defaults are far above what
 * well-behaved plugins need.
 */
export const LIMITS = {
  DefinitionBytes: limit(
    [KIB, 2 * MIB, GIB],
    'bytes',
    'The whole definition of one plugin (tools, resources, prompts), as JSON.',
    EXCESS_DROPPED,
  ),
  EntryBytes: limit(
    [KIB, 256 * KIB, GIB],
    'bytes',
    'One tool, resource or prompt with its schemas, as JSON.',
    ENTRY_DROPPED,
  ),
  Tools: limit([1, 1000, MAX_COUNT], 'tools', 'Tools of one plugin.', EXCESS_DROPPED),
  Resources: limit([1, 5000, MAX_COUNT], 'resources', 'Resources of one plugin.', EXCESS_DROPPED),
  Templates: limit([1, 200, MAX_COUNT], 'resource templates', 'Resource templates of one plugin.', EXCESS_DROPPED),
  Prompts: limit([1, 1000, MAX_COUNT], 'prompts', 'Prompts of one plugin.', EXCESS_DROPPED),
  DescriptionChars: limit(
    [100, 50_000, GIB],
    'characters',
    'The title or description of one tool, resource, prompt or argument.',
    ENTRY_DROPPED,
  ),
  UriChars: limit(
    [100, 8192, MIB],
    'characters',
    'One URI or URI template, in a definition or in a request to read.',
    'The entry is dropped. A URI in a request matches no template.',
  ),
  MessageBytes: limit(
    [64 * KIB, 8 * MIB, GIB],
    'bytes',
    "One message of a plugin's process or a mounted server, such as a result or a list, and one of a client over stdio.",
    'The call ends with TOOL_INVALID_RESULT. A process that still sends more is killed.',
    RETURN_LESS,
  ),
  MessageValues: limit(
    [1000, 100_000, MAX_COUNT],
    'values',
    'Object members and array items in one such message or one message of a client, at all levels. Data of a result is in it twice: as text, and as structuredContent or metadata.',
    'As for MessageBytes.',
    RETURN_LESS,
  ),
  ModuleBytes: limit(
    [KIB, 64 * MIB, GIB],
    'bytes',
    'One code file of a plugin: its entry, or a module or assembly that the entry loads.',
    NOT_LOADED,
  ),
};

export type LimitName = keyof typeof LIMITS;

export const LIMITS_SCHEMA = record(LIMITS);

/** The limits of `Plugins.Limits` with defaults filled in. */
export type PluginLimits = ValueOf<typeof LIMITS_SCHEMA>;

export const DEFAULT_LIMITS = Object.fromEntries(
  Object.entries(LIMITS).map(([name, { default: defaultValue }]) => [name, defaultValue]),
) as PluginLimits;
