import { LOG_LEVELS } from '@mortise/plugin/runtime';
import { GIB, KIB, MIB } from '../util/bytes.js';
import { ACCESS_KEY, PROFILES } from './access-settings.js';
import { CALLER_LIMITS } from './caller-limits.js';
import { CONFINE } from './confine-settings.js';
import type { ISSUER } from './issuer-settings.js';
import { LIMITS_SCHEMA } from './plugin-limits.js';
import {
  anyText,
  bool,
  choice,
  choiceOrNames,
  command,
  described,
  integer,
  json,
  list,
  map,
  milliseconds,
  name,
  oneOrList,
  packageName,
  path,
  pathOrEmpty,
  record,
  replicaNameOrEmpty,
  type SettingSchema,
  secret,
  secretOrEmpty,
  setting,
  url,
  urlOrEmpty,
  type ValueOf,
} from './setting-schema.js';
import type { REDIS } from './state-settings.js';

const MAX_COUNT = 1_000_000;

/** A placeholder: `rare-settings.ts` puts the real schema in its place when the settings name this object. */
const rare = <S extends SettingSchema>() => ({ expected: 'an object' }) as unknown as S;

const section = <const P extends Readonly<Record<string, SettingSchema>>>(description: string, properties: P) =>
  setting(record(properties), {}, description);

const MOUNTED_SERVER = record(
  {
    type: described(choice('stdio', 'http', 'streamable-http'), 'Optional; inferred from command or url.'),
    command: described(command, 'The program that speaks MCP over stdio.'),
    args: described(list(anyText), 'The arguments of the program.'),
    env: described(map('variables', anyText), 'Additional environment variables.'),
    cwd: described(path, "The working folder of the program; by default the configuration file's folder."),
    url: described(url, 'The address of a server that speaks MCP over HTTP.'),
    headers: described(map('fields', anyText), 'HTTP headers sent with every request.'),
    disabled: described(bool, 'true disables the server.'),
  },
  {
    dependencies: { args: ['command'], env: ['command'], cwd: ['command'], headers: ['url'] },
    oneOf: [{ required: ['command'] }, { required: ['url'] }],
  },
);

/** The levels of `Log.Level`, the least severe first. */
export const SETTINGS_LOG_LEVELS = [...LOG_LEVELS, 'silent'] as const;

/**
 * The table of all settings. Validation, defaults, the JSON Schema for editors, docs/settings.md, the names of
 * environment variables and the suggestions in messages come from it (docs/spec/configuration.md#config-sections).
 * To add a setting, add its row and run `npm run generate`: the type `Settings` follows from the rows.
 */
export const SETTINGS_SCHEMA = record({
  Plugins: section('Which plugins are loaded, and how they run.', {
    Enabled: setting(bool, true, 'false loads no plugin and mounts no server.'),
    Directory: setting(
      oneOrList(path),
      'plugins',
      "The folder that plugins are in, or a list of them. Relative paths start at the configuration file's folder.",
    ),
    Packages: setting(
      list(packageName),
      [],
      "Installed npm packages that are plugins, by name. They are looked for in node_modules, from the configuration file's folder upward.",
    ),
    RequireLockfile: setting(
      bool,
      false,
      'true: a package of `Plugins.Packages` is loaded only if package-lock.json has it, with its integrity and in the installed version.',
    ),
    Config: setting(map('fields', json), {}, 'Settings that plugins read with getConfig(key).'),
    ShareConfig: setting(
      bool,
      true,
      'false: a plugin reads nothing of `Plugins.Config`, only its own section of `Plugins.Settings`.',
    ),
    Settings: setting(
      map('names', map('fields', json)),
      {},
      'The settings of single plugins, by plugin name: what `definePlugin` reads as config, and what getConfig(key) looks up before `Plugins.Config` (docs/plugin-configuration.md).',
    ),
    Environment: setting(
      choiceOrNames('inherit', 'usual'),
      'inherit',
      "Which variables of the server's environment the processes of plugins get. usual: PATH, HOME, locale, proxy, certificates and what the platform needs. A list: usual, and the variables with these names. A mounted server gets usual in place of inherit. A variable that the settings fetch reaches only the plugin that it is fetched for.",
    ),
    Environments: setting(
      map('names', choiceOrNames('inherit', 'usual')),
      {},
      '`Plugins.Environment` of single plugins, by plugin name; a mounted server is `mcp.<server>`. A variable that a list names reaches the plugin even if it was fetched for another one.',
    ),
    LoadTimeoutMs: setting(
      milliseconds(1),
      10_000,
      'The processor time that one plugin or mounted server may use to load; loading may last six times as long. If the processor time is not known, loading may last this long.',
    ),
    StartWaitMs: setting(
      milliseconds(0),
      8_000,
      'How long the first lists wait for plugins and mounted servers whose definitions are not remembered; what loads later is added to the lists.',
    ),
    Confine: setting(
      CONFINE,
      {},
      'What the processes of plugins may do, enforced by the permission model of Node.js 22.13 and later: docs/security.md. Without `Default` and `Plugins` no process is confined.',
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
      "Resident memory of a plugin's process and its children, in MiB; a process that uses more is ended.",
    ),
    MaxConcurrentCalls: setting(
      integer(1, MAX_COUNT),
      64,
      'How many calls of one plugin run at the same time (of the .NET tools at most 16); further calls wait.',
    ),
    MaxQueuedCalls: setting(
      integer(0, MAX_COUNT),
      256,
      'How many calls of one plugin may wait; further calls fail with TOOL_BUSY.',
    ),
    OnChange: setting(
      choice('warn', 'refuse'),
      'warn',
      'What happens if the definitions of a plugin or mounted server differ from those first seen. warn: a problem is shown. refuse: the plugin is blocked until `mortise trust <plugin>`.',
    ),
    Limits: setting(
      LIMITS_SCHEMA,
      {},
      'How much one plugin or mounted server can make the server hold and do: docs/plugin-limits.md.',
    ),
    McpServers: setting(
      map('names', MOUNTED_SERVER),
      {},
      'MCP servers to mount, in the shape that clients use: {"name": {"command", "args", "env", "cwd"}} or {"name": {"url", "headers"}}.',
    ),
  }),
  Tools: section('How tools are called and shown.', {
    TimeoutMs: setting(
      milliseconds(1),
      50_000,
      'How long one call may take; official clients give up at 60,000. At SIGTERM, a server over HTTP waits this long for running calls.',
    ),
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
    PageSize: setting(integer(0, MAX_COUNT), 0, 'How many tools one page of tools/list holds; 0: all in one page.'),
    TrustAnnotations: setting(
      list(name),
      [],
      'Plugins and mounted servers whose tools only read if their annotations say so (`readOnlyHint`).',
    ),
    DefinitionBudget: setting(
      integer(0, MAX_COUNT),
      0,
      'Tokens that the definitions of all tools may take together (estimated); `mortise doctor` names the largest. 0: there is no limit.',
    ),
    MachineReadable: setting(bool, false, 'true: every call is treated as if it had machineReadable: true.'),
  }),
  Tasks: section('Calls that continue after their response, for clients of 2026-07-28 that know the tasks extension.', {
    AfterMs: setting(
      milliseconds(0),
      20_000,
      'A call that runs longer becomes a task, whose result the client fetches later. 0: no call becomes one.',
    ),
    KeepMs: setting(milliseconds(1), 600_000, 'How long the result of a task can be fetched after its end.'),
    MaxOpen: setting(
      integer(1, MAX_COUNT),
      256,
      'How many tasks of all clients can run or wait for answers; a further call stays a call until another task has ended.',
    ),
    MaxOpenPerPrincipal: setting(
      integer(1, MAX_COUNT),
      64,
      'How many tasks of one access key (or of all clients without one) can run or wait for answers.',
    ),
  }),
  Output: section('How much of an output is shown and kept.', {
    MaxTextChars: setting(
      integer(100, GIB),
      20_000,
      'Characters of all texts of a result; the rest can be read as mortise://outputs/{id}.',
    ),
    MaxResultBytes: setting(integer(KIB, GIB), 5 * MIB, "Bytes of a plugin's result, content and structured together."),
    MaxBytes: setting(integer(KIB, GIB), 16 * MIB, 'Bytes of output kept of one command, for mortise://outputs/{id}.'),
  }),
  Redaction: section('How secrets are kept out of results.', {
    AllowUnsafeOutput: setting(bool, false, 'true lets a call turn redaction off with unsafeOutput: true.'),
  }),
  Concurrency: section('Locks between calls that change the same project.', {
    WaitMs: setting(
      milliseconds(0),
      5000,
      'How long a call without `waitSeconds` waits for a lock; 0 fails immediately.',
    ),
  }),
  Http: section('Serving over HTTP.', {
    Host: setting(name, '127.0.0.1', 'The address to listen on.'),
    PublicUrl: setting(
      urlOrEmpty,
      '',
      'The URL of the MCP endpoint as clients write it, for example https://tools.example.com/mcp; empty: the one that the request was sent to. Set it for a server behind a proxy (docs/oauth.md).',
    ),
    Port: setting(integer(0, 65_535), 3333, 'The port to listen on; 0 takes any free one.'),
    MaxBodyBytes: setting(integer(KIB, GIB), 8 * MIB, 'Bytes of one request.'),
    AllowedHosts: setting(list(name), [], 'Names that the Host header can have in addition to the loopback ones.'),
    AllowedOrigins: setting(list(name), [], 'Origins that browsers can call from in addition to the loopback ones.'),
    MaxSessions: setting(integer(1, MAX_COUNT), 100, 'How many sessions may be open at once.'),
    SessionIdleMs: setting(milliseconds(1000), 1_800_000, 'A session ends after this long without a request.'),
    PollAfterMs: setting(
      milliseconds(0),
      0,
      'The stream of a request of a session is closed after this long, and its client fetches the rest with another request (protocols until 2025-11-25, for proxies that cut long streams). 0: the stream stays open.',
    ),
    StateKey: setting(secretOrEmpty(16), '', 'The one key of `Http.StateKeys`. Set one of the two.'),
    StateKeys: setting(
      list(secret(16)),
      [],
      'The keys that seal requestState: the first seals, and each of them opens, so that a new key can be put before the old one. Empty makes a key for each process; replicas need the same keys.',
    ),
  }),
  State: section('State that several replicas behind one address share (docs/scaling.md).', {
    Redis: described(
      rare<typeof REDIS>(),
      'The Redis or Valkey server that has the state. Without it each server keeps its own.',
    ),
    OnFailure: setting(
      choice('local', 'refuse'),
      'local',
      'What happens to calls of callers with a limited rate while the store cannot be used. local: each replica allows its own share of the rate. refuse: they fail with STATE_UNAVAILABLE.',
    ),
    Replica: setting(
      replicaNameOrEmpty,
      '',
      "The name of this replica, which ids of sessions begin with; empty: the machine's name if `State.Redis` is set.",
    ),
  }),
  Auth: section('Who may call over HTTP.', {
    Keys: setting(
      list(ACCESS_KEY),
      [],
      'Access keys: [{"Name", "Key" or "Sha256"}], each key with at least 32 characters (docs/several-agents.md).',
    ),
    Issuers: setting(
      list(rare<typeof ISSUER>()),
      [],
      'Authorization servers whose access tokens (JWT) are accepted: [{"Name", "Issuer", "Audience"}] (docs/oauth.md).',
    ),
    JwksMaxAgeMinutes: setting(
      integer(1, 10_080),
      60,
      'How long the signing keys of an issuer are used while it cannot be reached. Then its tokens are refused with status 503.',
    ),
  }),
  Profiles: setting(
    PROFILES,
    {},
    'What callers see. A profile is chosen by a key, by `--profile`, or by the URL `/mcp/p/<name>`.',
  ),
  Dotnet: section('The tools for the .NET SDK.', {
    Enabled: setting(choice('auto', true, false), 'auto', 'auto offers the .NET tools if the .NET SDK is installed.'),
    Tools: setting(list(name), [], 'Names of the .NET tools to offer; empty: all of them.'),
    Roots: setting(list(path), [], 'The folders that paths of the .NET tools may be in; empty: any.'),
    TrustedFolders: setting(
      list(path),
      [],
      'Folders with .NET SDKs that a global.json may select by `sdk.paths` for actions that only read, and with projects whose generators may run (`RunGenerators`).',
    ),
    RunGenerators: setting(
      choice('never', 'trusted', 'always'),
      'trusted',
      'Whether `dotnet_code` loads source generators of packages and of the repository: never, for projects in `TrustedFolders`, or always. Those of the .NET SDK always run.',
    ),
    HostMemoryMb: setting(
      integer(200, MAX_COUNT),
      1500,
      'How many megabytes the process that evaluates projects and reads code may use. It ends above that, and the next call starts another.',
    ),
    FixWaitMs: setting(
      milliseconds(0),
      2000,
      'How long a failed build waits for a code fix that it can recommend as the next action; 0: it looks for none.',
    ),
    Path: setting(pathOrEmpty, '', 'The dotnet program; empty: the first on PATH.'),
    TimeoutMs: setting(milliseconds(1), 600_000, 'How long one dotnet command may take.'),
  }),
  Sessions: section('Programs that run in the background.', {
    KeepMs: setting(milliseconds(0), 3_600_000, 'How long the output of an ended session stays readable.'),
    MaxLines: setting(integer(1, MAX_COUNT), 5000, 'Lines of output kept of one session.'),
    StartWaitMs: setting(
      milliseconds(0),
      10_000,
      'How long a background start waits for the first output of the program after its build.',
    ),
  }),
  Log: section('The log on stderr.', {
    Level: setting(choice(...SETTINGS_LOG_LEVELS), 'info', 'The minimum level of the lines that are written.'),
  }),
  Limits: section(
    'How much one principal can do, unless its profile or its key has limits of its own (docs/operating.md).',
    CALLER_LIMITS,
  ),
  Telemetry: section('Metrics of the running server.', {
    Metrics: setting(
      bool,
      false,
      'true: metrics for Prometheus at http://127.0.0.1:<MetricsPort>/metrics, and with --http at /metrics for keys with the scope mortise:operate.',
    ),
    MetricsPort: setting(integer(0, 65_535), 9464, 'The port of the metrics, on loopback only; 0 takes any free one.'),
  }),
  Audit: section('The audit: one line of JSON for every call, refusal and change (docs/operating.md).', {
    File: setting(pathOrEmpty, '', 'The file of the audit, in a folder that exists; empty: there is no audit.'),
    Arguments: setting(
      choice('hash', 'redacted'),
      'hash',
      'What the audit has of arguments. hash: only their HMAC-SHA-256. redacted: also the arguments, without the secrets that redaction finds.',
    ),
    RetentionDays: setting(
      integer(1, 36_500),
      90,
      'How many days earlier files are kept. A file is removed once there are files of as many later days.',
    ),
    MaxMegabytes: setting(
      integer(1, MIB),
      100,
      'The size of a file in MiB. A new file is begun before a file becomes larger, and each day (UTC).',
    ),
    OnFailure: setting(
      choice('warn', 'refuse'),
      'warn',
      'While the audit cannot be written, its lines wait in memory. warn: calls continue, and the log says so. refuse: no call runs.',
    ),
  }),
});

/** The settings of the table after loading: references are fetched, defaults filled in, paths absolute. */
export type ParsedSettings = ValueOf<typeof SETTINGS_SCHEMA>;

/**
 * Sections of well-known libraries that differ from ours by at most two letters. They are not misspellings: Auth0 and
 * OAuth (Auth), NLog and Loki (Log).
 */
export const THIRD_PARTY_SECTIONS: readonly string[] = ['Auth0', 'OAuth', 'NLog', 'Loki'];
