// The results of a server's handlers. For 2026-07-28 the core adds `resultType`, `ttlMs`, `cacheScope`, and the server's
// name in `_meta`.
import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import type { LoggingLevel } from './logging-levels.js';
import type { META_KEYS } from './meta-keys.js';

type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** Members that the protocol does not define. Their keys have a prefix. */
export type Meta = Readonly<Record<string, unknown>>;

/** The members that every result can have. */
export interface Result {
  readonly _meta?: Meta;
  /** Since 2026-07-28. Default: `complete`. */
  readonly resultType?: string;
}

export interface Icon {
  /** `https:` or `data:image/…`. */
  readonly src: string;
  readonly mimeType?: string;
  /** `48x48`, or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** The name of something, and how it is shown. */
interface Named {
  readonly name: string;
  readonly title?: string;
  readonly icons?: readonly Icon[];
}

/** An item of a list: a tool, a resource, a template or a prompt. */
interface Listed extends Named {
  readonly description?: string;
  readonly _meta?: Meta;
}

/** The name and version of a server or a client, which the other side shows. */
export interface Implementation extends Named {
  readonly version: string;
  readonly description?: string;
  readonly websiteUrl?: string;
}

/** The audience of a block or a resource, and its importance from 0 to 1. */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  readonly priority?: number;
  readonly lastModified?: string;
}

interface Block {
  readonly annotations?: Annotations;
  readonly _meta?: Meta;
}

/** The contents of a resource: text, or `blob` in base64. */
export type ResourceContents = { readonly uri: string; readonly mimeType?: string; readonly _meta?: Meta } & (
  | { readonly text: string }
  | { readonly blob: string }
);

/** The part of a result that a model or a person sees. `data` is base64. `resource_link` exists since 2025-06-18. */
export type ContentBlock =
  | (Block & { readonly type: 'text'; readonly text: string })
  | (Block & { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string })
  | (Block & { readonly type: 'resource'; readonly resource: ResourceContents })
  | (Resource & { readonly type: 'resource_link' });

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

/** Hints about the effects of a tool. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface Tool extends Listed {
  readonly inputSchema: ObjectSchema;
  /** Before 2026-07-28 an {@link ObjectSchema}. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: ToolAnnotations;
}

export interface Resource extends Listed {
  readonly uri: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
  readonly annotations?: Annotations;
}

export interface ResourceTemplate extends Listed {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

export interface Prompt extends Listed {
  readonly arguments?: readonly PromptArgument[];
}

interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** One page of a list. */
interface Page extends Result {
  readonly nextCursor?: string;
}

/** The prompt whose argument, or the resource template whose variable is completed. */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** A request that the server sends while a call waits, or in an `input_required` result (2026-07-28). */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Asks for input before the request can be answered (2026-07-28). The client sends the request again, with the answers. */
export interface InputRequiredResult extends Result {
  readonly resultType: 'input_required';
  readonly inputRequests: Readonly<Record<string, InputRequest>>;
  readonly requestState?: string;
}

interface TaskMembers {
  readonly taskId: string;
  /** The current step of the task, or the reason for its end. */
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** The time from `createdAt` during which the task can be read; null, without a limit, until it has ended. */
  readonly ttlMs: number | null;
  /** The interval at which a client should ask for the task. */
  readonly pollIntervalMs: number;
}

/** The members of a task in each status. */
type TaskState =
  | { readonly status: 'working' | 'cancelled' }
  | { readonly status: 'input_required'; readonly inputRequests: Readonly<Record<string, InputRequest>> }
  | { readonly status: 'completed'; readonly result: Result }
  | { readonly status: 'failed'; readonly error: RpcErrorObject };

/** A call that continues after the response to its request. */
export type Task = TaskMembers & TaskState;

export type TaskStatus = Task['status'];

/** The result of `tasks/get`. */
export type TaskResult = Result & Task;

/** The result of a request that has become a task. */
export interface CreateTaskResult extends Result, TaskMembers {
  readonly resultType: 'task';
  readonly status: 'working';
}

/** The parameters of `notifications/tasks`, which are the task as `tasks/get` returns it. */
export type TaskNotification = Task & { readonly _meta?: Meta };

/** The capabilities of the server. */
export interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean };
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
  readonly prompts?: { readonly listChanged?: boolean };
  readonly completions?: JsonObject;
  readonly logging?: JsonObject;
  readonly experimental?: Readonly<Record<string, JsonObject>>;
  /** 2026-07-28. */
  readonly extensions?: Readonly<Record<string, JsonObject>>;
}

/** The changes that a client of 2026-07-28 subscribes to. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  /** The URIs of resources. */
  readonly resourceSubscriptions?: readonly string[];
  /** The ids of tasks. */
  readonly taskIds?: readonly string[];
}

/** Names the subscription that a message belongs to, by the id of its request. */
export interface SubscriptionMeta extends Meta {
  readonly [META_KEYS.subscriptionId]: string | number;
}

/** The server's name, capabilities and instructions. */
interface Introduction extends Result {
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/** The result of every method. */
export interface Results {
  initialize: Introduction & { readonly protocolVersion: string };
  ping: Result;
  'server/discover': Introduction & { readonly supportedVersions: readonly string[] };
  'tools/list': Page & { readonly tools: readonly Tool[] };
  'tools/call': Result & {
    readonly content: readonly ContentBlock[];
    /** Before 2026-07-28 an object. */
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
  };
  'resources/list': Page & { readonly resources: readonly Resource[] };
  'resources/templates/list': Page & { readonly resourceTemplates: readonly ResourceTemplate[] };
  'resources/read': Result & { readonly contents: readonly ResourceContents[] };
  'resources/subscribe': Result;
  'resources/unsubscribe': Result;
  'prompts/list': Page & { readonly prompts: readonly Prompt[] };
  'prompts/get': Result & { readonly description?: string; readonly messages: readonly PromptMessage[] };
  'completion/complete': Result & {
    readonly completion: { readonly values: readonly string[]; readonly total?: number; readonly hasMore?: boolean };
  };
  'logging/setLevel': Result;
  'tasks/get': TaskResult;
  'tasks/update': Result;
  'tasks/cancel': Result;
  'subscriptions/listen': Result & { readonly _meta: SubscriptionMeta };
}

/** The progress of a call. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One line of a log. */
export interface LogMessage {
  readonly level: LoggingLevel;
  readonly logger?: string;
  readonly data: unknown;
}

/** The parameters of each notification of the server. Notifications of a subscription have its id in `_meta`. */
export interface Notifications {
  'notifications/progress': Progress & { readonly progressToken: string | number };
  'notifications/message': LogMessage;
  'notifications/cancelled': { readonly requestId: string | number; readonly reason?: string };
  'notifications/tools/list_changed': { readonly _meta?: Meta };
  'notifications/resources/list_changed': { readonly _meta?: Meta };
  'notifications/prompts/list_changed': { readonly _meta?: Meta };
  'notifications/resources/updated': { readonly uri: string; readonly _meta?: Meta };
  'notifications/subscriptions/acknowledged': { readonly notifications: SubscriptionFilter; readonly _meta?: Meta };
  'notifications/tasks': TaskNotification;
  /** Until 2025-11-25: the user has finished the page of a question in mode `url`. */
  'notifications/elicitation/complete': { readonly elicitationId: string };
}

export type NotificationMethod = keyof Notifications;
