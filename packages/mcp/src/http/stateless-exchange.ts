import type { ServerResponse } from 'node:http';
import { Connection } from '../core/connection.js';
import type { McpServer } from '../core/mcp-server.js';
import type { HttpResponse, Outlet, ResponseProblem } from '../core/outlet.js';
import { RPC_CODES } from '../json-rpc/codes.js';
import type { RpcRequest } from '../json-rpc/messages.js';
import type { ClientDeclaration } from '../protocol/client-declaration.js';
import { EventStream } from './event-stream.js';
import { type Exchange, respondWithJson } from './exchange.js';
import type { HttpSettings } from './http-options.js';

/** The HTTP status of an error that is found before the handler runs (2026-07-28). */
const STATUS_OF_REFUSAL: Readonly<Record<number, number>> = {
  [RPC_CODES.parseError]: 400,
  [RPC_CODES.invalidRequest]: 400,
  [RPC_CODES.methodNotFound]: 404,
  [RPC_CODES.headerMismatch]: 400,
  [RPC_CODES.missingCapability]: 400,
  [RPC_CODES.unsupportedVersion]: 400,
};

/** One request of 2026-07-28, which has its own `Connection`. The response is JSON, or a stream if messages precede it. */
export class StatelessExchange implements Outlet {
  readonly #server: McpServer;
  readonly #res: ServerResponse;
  readonly #connection: Connection;
  readonly #settings: HttpSettings;
  #stream: EventStream | undefined;
  #isDone = false;

  constructor(
    server: McpServer,
    { res, principal, authorization }: Exchange,
    declaration: ClientDeclaration,
    settings: HttpSettings,
  ) {
    this.#server = server;
    this.#res = res;
    this.#settings = settings;
    this.#connection = new Connection(server, {
      transport: 'http',
      generation: 'stateless',
      declaration,
      principal,
      authorization,
      // This connection has no messages that belong to no request.
      send() {},
    });
  }

  /** Runs the request. A client that disconnects cancels it. */
  receive(request: RpcRequest): void {
    if (this.#res.destroyed) return;
    this.#connection.receive(request, this);
    if (!this.#isDone) this.#res.on('close', () => this.#connection.close());
  }

  send(json: string): void {
    this.#stream ??= new EventStream(this.#res, this.#settings);
    this.#stream.send(json);
  }

  respond(json: string, problem?: ResponseProblem, http?: HttpResponse): void {
    this.#isDone = true;
    if (this.#stream === undefined) {
      respondWithJson(this.#res, http?.status ?? statusOf(problem), json, http?.headers);
      return;
    }
    if (this.#server.isDraining) this.#stream.sendRetry(this.#settings.retryMs);
    this.#stream.send(json);
    this.#stream.end();
  }

  abandon(): void {
    this.#isDone = true;
    this.#res.destroy();
  }
}

function statusOf(problem: ResponseProblem | undefined): number {
  if (problem === undefined) return 200;
  const hasStatus = problem.isRefusal || problem.code === RPC_CODES.missingCapability;
  return hasStatus ? (STATUS_OF_REFUSAL[problem.code] ?? 200) : 200;
}
