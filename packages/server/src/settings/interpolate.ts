/** The sources of `${env:NAME}` and `${file:path}`. */
export interface ReferenceSources {
  env(name: string): string | undefined;
  /** The file's text, or why there is none. */
  file(path: string): { readonly text: string } | { readonly why: string };
}

export interface Expansion {
  readonly text: string;
  /** What was fetched, piece by piece. */
  readonly fetched: readonly string[];
  /** What could not be fetched; each completes "the key: …". */
  readonly problems: readonly { readonly message: string; readonly hint: string }[];
}

const REFERENCE = /\$\$\{|\$\{(env|file):([^}]*)(\}?)/g;

/**
 * Replaces every `${env:NAME}` and `${file:path}` of the text (docs/spec/configuration.md#config-references). A file's
 * trailing line ends are dropped; `$${` means `${`; inserted text is not expanded again; any other `${…}` is
 * not changed.
 */
export function interpolate(text: string, sources: ReferenceSources): Expansion {
  const fetched: string[] = [];
  const problems: { message: string; hint: string }[] = [];
  const expanded = text.replace(REFERENCE, (whole, kind?: 'env' | 'file', name = '', close = '') => {
    if (!kind) return '${';
    const result = close ? FETCHERS[kind](name, sources) : NOT_CLOSED;
    if (typeof result === 'string') {
      fetched.push(result);
      return result;
    }
    problems.push(result);
    return whole;
  });
  return { text: expanded, fetched, problems };
}

const NOT_CLOSED = {
  message: 'a reference is not closed: } is missing.',
  hint: `Write \${env:NAME} or \${file:path}; for the characters themselves write $\${.`,
};

const FETCHERS = {
  env(name: string, sources: ReferenceSources) {
    const value = sources.env(name);
    if (value !== undefined) return value;
    return {
      message: `\${env:${name}} names an environment variable that is not set.`,
      hint: `Set ${name || 'a name'}, or remove the reference.`,
    };
  },
  file(path: string, sources: ReferenceSources) {
    const file = path ? sources.file(path) : { why: 'no path is given' };
    if ('text' in file) return file.text.replace(/[\r\n]+$/, '');
    return {
      message: `\${file:${path}} cannot be read: ${file.why}.`,
      hint: "Create the file, or correct the path; it starts at the configuration file's folder.",
    };
  },
};
