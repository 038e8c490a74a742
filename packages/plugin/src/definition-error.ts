/**
 * Thrown by `defineTool` and `definePlugin` for what they cannot take. The loader makes a problem of it, with the file and line of the
 * call; other programs see its message.
 */
export class DefinitionError extends TypeError {
  override readonly name = 'DefinitionError';

  /**
   * @param reason what is wrong, as a sentence
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

/** Whether it is one of this package, or of another copy of it. */
export const isDefinitionError = (error: unknown): error is DefinitionError =>
  error instanceof TypeError &&
  error.name === 'DefinitionError' &&
  typeof (error as Partial<DefinitionError>).reason === 'string' &&
  typeof (error as Partial<DefinitionError>).hint === 'string';
