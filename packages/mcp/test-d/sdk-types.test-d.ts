// What the server sends fits the types of the official SDK, and what its client sends fits ours.
import type * as client from '@modelcontextprotocol/client';
import type * as sdk from '@modelcontextprotocol/server';
import type {
  ContentBlock,
  Handlers,
  InputRequest,
  InputRequiredResult,
  Method,
  Notifications,
  ParamsOf,
  Prompt,
  Resource,
  ResourceTemplate,
  Results,
  ServerCapabilities,
  Tool,
} from '@mortise/mcp';
import { assertType, type Equal } from './expect-type.js';

/** A value after it was JSON: `readonly` is a promise of the sender to itself. */
type Sent<T> = T extends client.JSONObject ? T : T extends object ? { -readonly [K in keyof T]: Sent<T[K]> } : T;

/** The members of a table that do not fit: `never` if all do. */
type Misfits<Table> = { [K in keyof Table]: Table[K] extends true ? never : K }[keyof Table];

type Fits<A, B> = A extends B ? true : false;

/** What the SDK types: it does not have the tasks extension. */
type SdkMethod = Exclude<Method, `tasks/${string}`>;
type SdkNotification = Exclude<keyof Notifications, 'notifications/tasks'>;

/** Every result is one of the SDK's, for the method as the SDK's client types it. */
assertType<Equal<Misfits<{ [M in SdkMethod]: Fits<Sent<Results[M]>, sdk.ResultTypeMap[M]> }>, never>>();
assertType<Equal<Misfits<{ [M in SdkMethod]: Fits<Sent<Results[M]>, client.ResultTypeMap[M]> }>, never>>();

/** Every notification is one of the SDK's. */
assertType<
  Equal<
    Misfits<{
      [M in SdkNotification]: Fits<Sent<Notifications[M]>, NonNullable<client.NotificationTypeMap[M]['params']>>;
    }>,
    never
  >
>();

/** What the SDK's client sends as parameters is what the handlers take. */
assertType<
  Equal<Misfits<{ [M in SdkMethod]: Fits<Required<client.RequestTypeMap[M]>['params'], ParamsOf<M>> }>, never>
>();

assertType<Fits<Sent<Tool>, client.Tool>>();
assertType<Fits<Sent<Resource>, client.Resource>>();
assertType<Fits<Sent<ResourceTemplate>, client.ResourceTemplateType>>();
assertType<Fits<Sent<Prompt>, client.Prompt>>();
assertType<Fits<Sent<ContentBlock>, client.ContentBlock>>();
assertType<Fits<Sent<ServerCapabilities>, client.ServerCapabilities>>();
assertType<Fits<InputRequest['method'], client.InputRequest['method']>>();
assertType<Fits<client.InputRequest['method'], InputRequest['method']>>();
assertType<Fits<Sent<InputRequiredResult>['requestState'], client.InputRequiredResult['requestState']>>();

/** What the SDK's types describe, handlers can return. */
assertType<Fits<client.Tool, Tool>>();
assertType<Fits<client.ContentBlock, ContentBlock>>();
assertType<Fits<client.CallToolResult, Results['tools/call']>>();
assertType<Fits<client.ServerCapabilities, ServerCapabilities>>();

/** A handler is typed by its method. */
export const handlers: Handlers = {
  'tools/call'({ name, arguments: args }, { signal }) {
    assertType<Equal<typeof name, string>>();
    assertType<Equal<typeof args, Record<string, unknown> | undefined>>();
    return { content: [{ type: 'text', text: `${name} ${signal.aborted}` }] };
  },
  // @ts-expect-error a list of tools has tools
  'tools/list': () => ({ prompts: [] }),
  // @ts-expect-error a list of tools asks for nothing
  'resources/list': () => ({ resultType: 'input_required', inputRequests: {} }),
  'prompts/get': async () => ({ resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } }),
};

// @ts-expect-error the package answers it itself
export const builtIn: Handlers = { ping: () => ({}) };
