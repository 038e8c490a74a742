/** The client answered a question with a JSON-RPC error. */
export class ClientErrorAnswer extends Error {
  /** @param code the JSON-RPC error code */
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
