/** The sources of `${env:NAME}` and `${file:path}`. */
export interface ReferenceSources {
  env(name: string): string | undefined;
  /** Returns the file's text, or the reason why it cannot be read. */
  file(path: string): { readonly text: string } | { readonly why: string };
}

export interface Expansion {
  readonly text: string;
  /** The values that replaced references, in their order. */
  readonly fetched: readonly string[];
  /** The references that could not be fetched. Each message continues a text such as "Http.StateKey: ". */
  readonly problems: readonly { readonly message: string; readonly hint: string }[];
}

const REFERENCE = /\$\$\{|\$\{(env|file):([^}]*)(\}?)/g;

/**
 * Replaces every `${env:NAME}` and `${file:path}` in the text (docs/spec/configuration.md#config-references). Line ends
 * at the end of a file are dropped, and fetched text is not expanded again. `$${` becomes `${`. Any other `${…}` stays.
 */
export function interpolate(text: string, sources: ReferenceSources): Expansion {
  const fetched: string[] = [];
  const problems: { message: string; hint: string }[] = [];
  const expanded = text.replace(REFERENCE, (whole, kind?: 'env' | 'file', name = '', close = '') => {
    if (!kind) return '${';
    const valueOrProblem = close ? FETCHERS[kind](name, sources) : NOT_CLOSED;
    if (typeof valueOrProblem === 'string') {
      fetched.push(valueOrProblem);
      return valueOrProblem;
    }
    problems.push(valueOrProblem);
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
