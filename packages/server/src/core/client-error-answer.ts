/** The client has answered a question with a JSON-RPC error. */
export class ClientErrorAnswer extends Error {
  /** @param code of JSON-RPC */
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
