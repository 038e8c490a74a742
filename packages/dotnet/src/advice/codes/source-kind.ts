const PROJECT_FILE = /\.(?:[A-Za-z]*proj|slnx?|slnf)$/i;
const IMPORTED_FILE = /\.(?:props|targets|tasks)$/i;

/** Whether a file is what MSBuild is asked to build: a project, a solution, a solution filter. */
export function isProjectFile(file: string | undefined): boolean {
  return file !== undefined && PROJECT_FILE.test(file);
}

/** Whether a file is read by MSBuild: a project, a solution, or what they import. */
function isMSBuildFile(file: string | undefined): boolean {
  return file !== undefined && (PROJECT_FILE.test(file) || IMPORTED_FILE.test(file));
}

/**
 * Whether a diagnostic points into a source file, and so is about code and not about the build
 * (docs/spec/errors.md#analyzer-codes).
 */
export function isSourceLocation(location: {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}): boolean {
  return location.file !== undefined && location.line !== undefined && !isMSBuildFile(location.file);
}
