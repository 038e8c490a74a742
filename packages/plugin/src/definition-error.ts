/**
 * Thrown by `defineTool` and `definePlugin` for invalid options. The loader turns it into a problem with the file and
 * line of the call. Other programs see its message.
 */
export class DefinitionError extends TypeError {
  override readonly name = 'DefinitionError';

  /**
   * @param reason the problem, in one sentence
   * @param hint the next action
   */
  constructor(
    readonly reason: string,
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(`${reason} ${hint}`, options);
  }
}

/** True for an error of this package, or of another copy of it. */
export const isDefinitionError = (error: unknown): error is DefinitionError =>
  error instanceof TypeError &&
  error.name === 'DefinitionError' &&
  typeof (error as Partial<DefinitionError>).reason === 'string' &&
  typeof (error as Partial<DefinitionError>).hint === 'string';
