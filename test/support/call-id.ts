type Members = Record<string, unknown>;

/** An ErrorResponse without the id of its call, which is another each time (docs/spec/audit.md#call-id). */
export function withoutCallId(response: Members): Members {
  const { metadata, ...rest } = response;
  const { callId: _, ...others } = (metadata ?? {}) as Members;
  return Object.keys(others).length === 0 ? rest : { ...rest, metadata: others };
}
