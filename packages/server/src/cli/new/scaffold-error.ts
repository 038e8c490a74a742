/** Thrown if a new plugin cannot be created. `message` is the reason, `hint` the next action. Nothing was written. */
export class ScaffoldError extends Error {
  override readonly name = 'ScaffoldError';
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a component of the path is not a folder',
  EEXIST: 'it exists already',
};

/** Throws a ScaffoldError for an error of the file system. Other errors are thrown unchanged. */
export function cannotWrite(path: string, error: unknown): never {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined) throw error;
  const reason = REASONS[code] ?? code;
  throw new ScaffoldError(
    `${path} cannot be written: ${reason}.`,
    'Correct that, or run the command in another folder.',
    {
      cause: error,
    },
  );
}
