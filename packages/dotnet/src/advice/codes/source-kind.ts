const PROJECT_FILE = /\.(?:[A-Za-z]*proj|slnx?|slnf)$/i;
const IMPORTED_FILE = /\.(?:props|targets|tasks)$/i;

/** True for files that MSBuild can be asked to build: projects, solutions and solution filters. */
export function isProjectFile(file: string | undefined): boolean {
  return file !== undefined && PROJECT_FILE.test(file);
}

/** True for files that MSBuild reads: projects, solutions and the files that they import. */
function isMSBuildFile(file: string | undefined): boolean {
  return file !== undefined && (PROJECT_FILE.test(file) || IMPORTED_FILE.test(file));
}

/**
 * True if a diagnostic points into a source file, which means that it is about code and not about the build
 * (docs/spec/errors.md#analyzer-codes).
 */
export function isSourceLocation(location: {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}): boolean {
  return location.file !== undefined && location.line !== undefined && !isMSBuildFile(location.file);
}
