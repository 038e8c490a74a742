/** `mortise --help` prints these meanings. */
export const EXIT_CODES = {
  ok: { code: 0, meaning: 'Done.' },
  failed: { code: 1, meaning: 'The tool returned an error, the check found a problem, or the command failed.' },
  usage: { code: 2, meaning: 'The command line or the configuration is wrong.' },
  notFound: { code: 3, meaning: 'There is no such tool, resource, prompt, plugin or client.' },
  internal: { code: 70, meaning: 'Mortise itself failed.' },
  cancelled: { code: 130, meaning: 'Cancelled with Ctrl+C.' },
} as const;

export type ExitStatus = keyof typeof EXIT_CODES;
