import { LOG_LEVELS } from '@mortise/plugin/runtime';
import { ACCESS_KEY, PROFILES } from './access-settings.js';
import { CALLER_LIMITS } from './caller-limits.js';
import { LIMITS_TYPE } from './plugin-limits.js';
import {
  bool,
  choice,
  choiceOrNames,
  integer,
  json,
  list,
  type MapType,
  type MembersOf,
  map,
  milliseconds,
  oneOrList,
  path,
  perPlugin,
  type RecordType,
  text,
  type ValueOf,
  type ValueType,
} from './value-type.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const MANY = 1_000_000;

/** A setting: its type, its default as it would be in the file, and what it does. */
const setting = <T extends ValueType>(type: T, defaultValue: unknown, description: string) => ({
  type,
  default: defaultValue,
  description,
});

type Section = {
  readonly description: string;
  readonly settings: RecordType['members'];
  /** In place of settings: the keys are names that the user chooses. */
  readonly entries?: MapType;
};

const MOUNTED_SERVER = {
  kind: 'record',
  oneOf: ['command', 'url'],
  members: {
    type: {
      type: choice('stdio', 'http', 'streamable-http'),
      description: 'Optional; inferred from command or url.',
    },
    command: { type: path({ command: true }), description: 'The program that speaks MCP over stdio.' },
    args: { type: list(text()), requires: 'command', description: 'Its arguments.' },
    env: {
      type: map('variables', text()),
      requires: 'command',
      description: 'Additional environment variables.',
    },
    cwd: {
      type: path(),
      requires: 'command',
      description: "Its working folder; default is the configuration file's folder.",
    },
    url: { type: text({ url: true }), description: 'The address of a server that speaks MCP over HTTP.' },
    headers: { type: map('fields', text()), requires: 'url', description: 'HTTP headers sent with every request.' },
    disabled: { type: bool, description: 'true disables the server.' },
  },
} as const;

/**
 * Every setting, as data. Validation, defaults, the JSON Schema for editors, docs/settings.md, the names of environment
 * variables and the suggestions in messages all come from here (docs/spec/plugins.md#config-sections).
 */
/** The levels of `Log.Level`, the least severe first. */
export const SETTINGS_LOG_LEVELS = [...LOG_LEVELS, 'silent'] as const;

export const SECTIONS = {
  Plugins: {
    description: 'Which plugins are loaded, and how they run.',
    settings: {
      Enabled: setting(bool, true, 'false loads no plugin and mounts no server.'),
      Directory: setting(
        oneOrList(path()),
        'plugins',
        "The folder that plugins are in, or a list of them. Relative paths start at the configuration file's folder.",
      ),
      Packages: setting(
        list(text({ packageName: true, secret: 'never' })),
        [],
        "Installed npm packages that are plugins, by name. They are looked for in node_modules, from the configuration file's folder upward.",
      ),
      Config: setting(map('fields', json), {}, 'Settings that plugins read with getConfig(key).'),
      ShareConfig: setting(
        bool,
        true,
        'false: a plugin reads nothing of `Plugins.Config`, only its own section of `Plugins.Settings`.',
      ),
      Settings: setting(
        perPlugin(map('fields', json)),
        {},
        'The settings of single plugins, by plugin name: what `definePlugin` reads as config, and what getConfig(key) looks up before `Plugins.Config`. docs/plugin-configuration.md.',
      ),
      Environment: setting(
        choiceOrNames('inherit', 'usual'),
        'inherit',
        "Which variables of the server's environment the processes of plugins get. usual: PATH, HOME, locale, proxy, certificates and what the platform needs. A list: usual and these names. A mounted server gets usual instead of inherit. A variable that the settings fetch reaches only the plugin that it is fetched for.",
      ),
      Environments: setting(
        map('names', choiceOrNames('inherit', 'usual')),
        {},
        'The same for single plugins, by plugin name; a mounted server is `mcp.<server>`. The names of a list reach the plugin in any case.',
      ),
      LoadTimeoutMs: setting(
        milliseconds(1),
        10_000,
        'How much processor time one plugin or mounted server may take to load, and a sixth of how long that may take. Where it is not known, how long it may take.',
      ),
      StartWaitMs: setting(
        milliseconds(0),
        8_000,
        'How long the first lists wait for plugins and mounted servers whose definitions are not remembered; what loads later joins them.',
      ),
      Isolation: setting(
        choice('process', 'none'),
        'process',
        'process: each plugin in a process of its own. none: in the server; only for plugins that you trust like the server itself. A reload then takes the new code of the entry and of CommonJS files; other ES modules stay until the next start.',
      ),
      IdleMs: setting(milliseconds(0), 300_000, "A plugin's process ends after this long without a call."),
      MaxMemoryMb: setting(
        integer(16, MIB),
        256,
        "Resident memory of a plugin's process and its children, in MiB; over it the process is ended.",
      ),
      MaxConcurrentCalls: setting(
        integer(1, MANY),
        64,
        'How many calls of one plugin run at once, of the .NET tools 16 at most; further ones wait.',
      ),
      MaxQueuedCalls: setting(
        integer(0, MANY),
        256,
        'How many calls of one plugin may wait; further ones are TOOL_BUSY.',
      ),
      OnChange: setting(
        choice('warn', 'refuse'),
        'warn',
        'When the definitions of a plugin or mounted server differ from those first seen: warn, or refuse until `mortise trust <plugin>`.',
      ),
      Limits: setting(
        LIMITS_TYPE,
        {},
        'How much one plugin or mounted server can make the server hold and do: docs/plugin-limits.md.',
      ),
      McpServers: setting(
        perPlugin(MOUNTED_SERVER),
        {},
        'MCP servers to mount, in the shape that clients use: {"name": {"command", "args", "env", "cwd"}} or {"name": {"url", "headers"}}.',
      ),
    },
  },
  Tools: {
    description: 'How tools are called and shown.',
    settings: {
      TimeoutMs: setting(milliseconds(1), 50_000, 'How long one call may take; official clients give up at 60,000.'),
      AnswerWaitMs: setting(
        milliseconds(1),
        3_600_000,
        "How long a question of a tool waits for the client's answer; then the call ends with ANSWER_TIMEOUT.",
      ),
      NameStyle: setting(
        choice('portable', 'exact'),
        'portable',
        'portable shows a.b as a_b, which every client accepts; exact shows names as their authors wrote them.',
      ),
      PageSize: setting(integer(0, MANY), 0, 'How many tools one page of tools/list holds; 0: all in one page.'),
      TrustAnnotations: setting(
        list(text({ minLength: 1, secret: 'never' })),
        [],
        'Plugins and mounted servers whose tools only read if their annotations say so (`readOnlyHint`).',
      ),
      DefinitionBudget: setting(
        integer(0, MANY),
        0,
        'Tokens that the definitions of all tools may take together (estimated); `mortise doctor` names the largest. 0: any number.',
      ),
      MachineReadable: setting(bool, false, 'true: as if every call carried machineReadable: true.'),
    },
  },
  Tasks: {
    description: 'Calls that continue after their response, for clients of 2026-07-28 that know the tasks extension.',
    settings: {
      AfterMs: setting(
        milliseconds(0),
        20_000,
        'A call that runs longer becomes a task, whose result the client fetches later. 0: no call does.',
      ),
      KeepMs: setting(milliseconds(1), 600_000, 'How long the result of a task can be fetched after its end.'),
      MaxOpen: setting(
        integer(1, MANY),
        256,
        'How many tasks of all clients can run or wait for answers; a further call stays a call until another task has ended.',
      ),
      MaxOpenPerPrincipal: setting(
        integer(1, MANY),
        64,
        'How many tasks of one access key (or of all clients without one) can run or wait for answers.',
      ),
    },
  },
  Output: {
    description: 'How much of an output is shown and kept.',
    settings: {
      MaxTextChars: setting(
        integer(100, GIB),
        20_000,
        'Characters of all texts of a result; the rest can be read as mortise://outputs/{id}.',
      ),
      MaxResultBytes: setting(
        integer(KIB, GIB),
        5 * MIB,
        "Bytes of a plugin's result, content and structured together.",
      ),
      MaxBytes: setting(
        integer(KIB, GIB),
        16 * MIB,
        'Bytes of output kept of one command, for mortise://outputs/{id}.',
      ),
    },
  },
  Redaction: {
    description: 'How secrets are kept out of results.',
    settings: {
      AllowUnsafeOutput: setting(bool, false, 'true lets a call turn redaction off with unsafeOutput: true.'),
    },
  },
  Concurrency: {
    description: 'Locks between calls that change the same project.',
    settings: {
      WaitMs: setting(
        milliseconds(0),
        5000,
        'How long a call without `waitSeconds` waits for a lock; 0 fails immediately.',
      ),
    },
  },
  Http: {
    description: 'Serving over HTTP.',
    settings: {
      Host: setting(text({ minLength: 1, secret: 'never' }), '127.0.0.1', 'The address to listen on.'),
      Port: setting(integer(0, 65_535), 3333, 'The port to listen on; 0 takes any free one.'),
      MaxBodyBytes: setting(integer(KIB, GIB), 8 * MIB, 'Bytes of one request.'),
      AllowedHosts: setting(
        list(text({ minLength: 1, secret: 'never' })),
        [],
        'Names that the Host header can have in addition to the loopback ones.',
      ),
      AllowedOrigins: setting(
        list(text({ minLength: 1, secret: 'never' })),
        [],
        'Origins that browsers can call from in addition to the loopback ones.',
      ),
      MaxSessions: setting(integer(1, MANY), 100, 'How many sessions may be open at once.'),
      SessionIdleMs: setting(milliseconds(1000), 1_800_000, 'A session ends after this long without a request.'),
      PollAfterMs: setting(
        milliseconds(0),
        0,
        'The stream of a request of a session is closed after this long, and its client comes back for the rest (until 2025-11-25, for proxies that cut long streams). 0: it stays open.',
      ),
      StateKey: setting(
        text({ minLength: 16, orEmpty: true, secret: 'always' }),
        '',
        'The key that signs requestState; empty makes one per process. Set it where several replicas share work.',
      ),
    },
  },
  Auth: {
    description: 'Who may call over HTTP.',
    settings: {
      Keys: setting(
        list(ACCESS_KEY),
        [],
        'Access keys: [{"Name", "Key" or "Sha256"}], each key at least 32 characters. docs/several-agents.md.',
      ),
    },
  },
  Profiles: {
    description: 'What callers see: a profile is the choice of a key, of `--profile`, or of the URL `/mcp/p/<name>`.',
    settings: {},
    entries: PROFILES,
  },
  Dotnet: {
    description: 'The tools for the .NET SDK.',
    settings: {
      Enabled: setting(choice('auto', true, false), 'auto', 'auto offers them if the .NET SDK is installed.'),
      Tools: setting(
        list(text({ minLength: 1, secret: 'never' })),
        [],
        'Names of the tools to offer; empty: all of them.',
      ),
      Roots: setting(list(path()), [], 'The folders that paths of the .NET tools may be in; empty: any.'),
      TrustedFolders: setting(
        list(path()),
        [],
        'Folders with .NET SDKs that a global.json may select by `sdk.paths` for actions that only read.',
      ),
      Path: setting(path({ orEmpty: true }), '', 'The dotnet program; empty: the first on PATH.'),
      TimeoutMs: setting(milliseconds(1), 600_000, 'How long one dotnet command may take.'),
    },
  },
  Sessions: {
    description: 'Programs that run in the background.',
    settings: {
      KeepMs: setting(milliseconds(0), 3_600_000, 'How long the output of an ended session stays readable.'),
      MaxLines: setting(integer(1, MANY), 5000, 'Lines of output kept of one session.'),
      StartWaitMs: setting(
        milliseconds(0),
        10_000,
        'How long a background start waits for the first output of the program after its build.',
      ),
    },
  },
  Log: {
    description: 'The log on stderr.',
    settings: {
      Level: setting(choice(...SETTINGS_LOG_LEVELS), 'info', 'The minimum level of the lines that are written.'),
    },
  },
  Limits: {
    description: 'How much one principal can do, unless its profile or its key says otherwise. docs/operating.md.',
    settings: CALLER_LIMITS,
  },
  Telemetry: {
    description: 'What the server tells of itself while it serves.',
    settings: {
      Metrics: setting(
        bool,
        false,
        'true: metrics for Prometheus at http://127.0.0.1:<MetricsPort>/metrics, and with --http at /metrics for keys with the scope mortise:operate.',
      ),
      MetricsPort: setting(
        integer(0, 65_535),
        9464,
        'The port of the metrics, on loopback alone; 0 takes any free one.',
      ),
    },
  },
  Audit: {
    description: 'The audit: one line of JSON for every call, refusal and change. docs/operating.md.',
    settings: {
      File: setting(path({ orEmpty: true }), '', 'The file of the audit; empty: there is none. Its folder must exist.'),
      Arguments: setting(
        choice('hash', 'redacted'),
        'hash',
        'hash: of arguments an HMAC-SHA-256 alone. redacted: the arguments too, without the secrets that redaction finds.',
      ),
      RetentionDays: setting(
        integer(1, 36_500),
        90,
        'How many days files are kept that were put aside. A file is removed once there are files of as many later days.',
      ),
      MaxMegabytes: setting(
        integer(1, MIB),
        100,
        'A file that would become larger, in MiB, is put aside, and so is one of another day (UTC).',
      ),
      OnFailure: setting(
        choice('warn', 'refuse'),
        'warn',
        'While the audit cannot be written, its lines wait in memory. warn: calls continue, and the log says so. refuse: no call runs.',
      ),
    },
  },
} as const;

type Sections = typeof SECTIONS;

/** What is read by the table: references fetched, defaults filled in, paths absolute. */
export type ParsedSettings = {
  readonly [S in keyof Sections]: Sections[S] extends { readonly entries: infer E extends MapType }
    ? ValueOf<E>
    : MembersOf<Sections[S]['settings']>;
};

/** The configuration as one type: a record of sections, each a record of settings. */
export const SETTINGS_TYPE: RecordType = {
  kind: 'record',
  members: Object.fromEntries(
    Object.entries<Section>(SECTIONS).map(([name, { description, settings, entries }]) => [
      name,
      { type: entries ?? { kind: 'record', members: settings }, description, default: {} },
    ]),
  ),
};

/**
 * Sections of well-known others that come within two letters of ours and still are not a misspelling: Auth0 and OAuth
 * (Auth), NLog and Loki (Log).
 */
export const THIRD_PARTY_SECTIONS: readonly string[] = ['Auth0', 'OAuth', 'NLog', 'Loki'];
