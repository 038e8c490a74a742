/** The parts of an error response that decide its HTTP status. */
export interface ResponseProblem {
  readonly code: number;
  /** Whether the request was refused before its handler ran. Over HTTP such a response has an error status. */
  readonly isRefusal: boolean;
}

/** The HTTP status and headers of a response, if no stream has begun. Other transports ignore them. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends the messages that belong to one request back to its client. Each transport has its own implementation. */
export interface Outlet {
  /** Sends one message: a notification, or a request to the client. @param json one JSON-RPC message */
  send(json: string): void;
  /** Sends the response, which is the last message. @param problem set if the response is an error */
  respond(json: string, problem?: ResponseProblem, http?: HttpResponse): void;
  /** Ends the request without a response, because the client has cancelled it. */
  abandon(): void;
}
