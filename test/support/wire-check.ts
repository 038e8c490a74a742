import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';
import { contractFaults, type SentCall } from './contract-check.js';
import { type Revision, type WireMessage, wireSchema } from './wire-schema.js';
import type { Finished } from './workplace.js';

/** Watches one client and its server, line by line, and checks the server's side. */
export interface WireCheck {
  /** What the client wrote tells the revision, and what a response answers. */
  sent(line: string): void;
  received(line: string): void;
  /** What was wrong so far, each with its line. */
  readonly violations: readonly string[];
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const MAX_LOGGED_CHARS = 500;

/** A request that was not answered yet. */
interface OpenRequest {
  readonly method: string;
  readonly revision: Revision;
  /** The call whose result answers it: its own, or that of the task that it asks for. */
  readonly call?: SentCall | undefined;
}

/**
 * Checks every line of a server against the JSON schema of the protocol revision that is spoken there, and the results of
 * tools against the schema of the contract.
 */
export function createWireCheck(): WireCheck {
  const open = new Map<WireMessage['id'], OpenRequest>();
  const tasks = new Map<string, SentCall>();
  const violations: string[] = [];
  let revision: Revision = '2025-11-25';
  let isSession = false;

  const faultsOf = (message: WireMessage): string[] => {
    const { id, method, result } = message;
    if (method !== undefined) return wireSchema(revision).ofRequestOrNotification(message);
    const request = open.get(id);
    open.delete(id);
    if (id !== undefined && request === undefined) return ['it answers no open request'];
    if (request?.method === 'initialize' && result !== undefined) {
      isSession = true;
      revision = '2025-11-25';
    }
    const faults = wireSchema(request?.revision ?? revision).ofResponse(message, request?.method);
    return [...faults, ...(request?.call ? resultFaults(request.call, message) : [])];
  };

  const resultFaults = (call: SentCall, { result, error }: WireMessage): string[] => {
    if (result?.taskId !== undefined && result.resultType === 'task') tasks.set(result.taskId, call);
    return contractFaults(call, { result: result?.taskId === undefined ? result : result.result, error });
  };

  const callOf = (method: string, params: WireMessage['params']): SentCall | undefined => {
    if (method === 'tasks/get') return tasks.get(params?.taskId as string);
    return method === 'tools/call' && typeof params?.name === 'string' ? (params as unknown as SentCall) : undefined;
  };

  return {
    violations,
    sent(line) {
      const { id, method, params } = parseMessage(line) ?? {};
      if (id === undefined || typeof method !== 'string') return;
      const isModern = params?._meta?.[VERSION_KEY] === '2026-07-28';
      if (isModern && !isSession) revision = '2026-07-28';
      open.set(id, { method, revision: isModern ? '2026-07-28' : '2025-11-25', call: callOf(method, params) });
    },
    received(line) {
      const message = parseMessage(line);
      const faults = message === undefined ? ['it is not a JSON object'] : faultsOf(message);
      if (faults.length > 0) violations.push(`${faults.join('; ')}: ${line.slice(0, MAX_LOGGED_CHARS)}`);
    },
  };
}

/** A check that fails the running test when that has finished and anything was wrong. */
export function checkWire(finished: Finished = onTestFinished): WireCheck {
  const check = createWireCheck();
  finished(() => expectValid(check));
  return check;
}

/** Fails when anything was wrong so far. */
export function expectValid({ violations }: WireCheck): void {
  expect(violations, 'what the server wrote, by the schema of the protocol').toEqual([]);
}

/** Checks a conversation that is over: what went into a server, and what came out. */
export function expectValidWire(input: string, output: string): void {
  const check = createWireCheck();
  for (const line of linesOf(input)) check.sent(line);
  for (const line of linesOf(output)) check.received(line);
  expectValid(check);
}

/** The official transport; what the server writes is checked as it came. By default the test fails when it is invalid. */
export class CheckedStdioTransport extends StdioClientTransport {
  readonly #check: WireCheck;

  constructor(server: StdioServerParameters, check = checkWire()) {
    super(server);
    this.#check = check;
  }

  override async start(): Promise<void> {
    await super.start();
    // The SDK hands out parsed messages only, and ignores lines that are not JSON.
    const { _process: child } = this as unknown as { _process: ChildProcess };
    createInterface({ input: child.stdout! }).on('line', (line) => this.#check.received(line));
  }

  override send(message: JSONRPCMessage): Promise<void> {
    this.#check.sent(JSON.stringify(message));
    return super.send(message);
  }
}

/** The official transport over HTTP; what the server sends is checked as the client reads it. */
export class CheckedHttpTransport extends StreamableHTTPClientTransport {
  readonly #check: WireCheck;

  constructor(url: URL, check: WireCheck) {
    super(url);
    this.#check = check;
  }

  override async start(): Promise<void> {
    const hear = this.onmessage;
    this.onmessage = (message) => {
      this.#check.received(JSON.stringify(message));
      hear?.(message);
    };
    await super.start();
  }

  override send(...[message, options]: Parameters<StreamableHTTPClientTransport['send']>): Promise<void> {
    for (const one of [message].flat()) this.#check.sent(JSON.stringify(one));
    return super.send(message, options);
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function parseMessage(line: string): WireMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
