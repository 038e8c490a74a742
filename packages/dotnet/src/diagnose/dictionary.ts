export const lookUp = (_: string): { messageStart?: string } | undefined => undefined;
