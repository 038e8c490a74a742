/** Why a request is answered with an error. */
export interface ResponseProblem {
  readonly code: number;
  /** The error was found before the request's handler had run: over HTTP it has a status of its own. */
  readonly isRefusal: boolean;
}

/** How a response over HTTP differs from 200, where no stream has begun by then. Other transports ignore it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Takes the messages that belong to one request back to its client. Each transport has its own. */
export interface Outlet {
  /** Sends one message: a notification, or a request to the client. @param json one JSON-RPC message */
  send(json: string): void;
  /** Sends the response, after which nothing else is sent. `problem` is set for an error. */
  respond(json: string, problem?: ResponseProblem, http?: HttpResponse): void;
  /** There will be no response: the client has cancelled the request. */
  abandon(): void;
}
