import { JSON_RPC_CODES } from '../../jsonrpc/codes.js';
import { errorResponse } from '../message.js';
import { type Exchange, headerOf, idOf, requestOf } from './exchange.js';
import { refuse, respondWithError } from './respond.js';
import type { SessionTable } from './session-table.js';

/** What the SDK's session transport uses too. */

/** Serves a request of 2025-11-25 and older: `initialize` opens a session, everything else names one. */
export async function serveInSession(sessions: SessionTable, exchange: Exchange): Promise<void> {
  const { res, owner } = exchange;
  if (requestOf(exchange)?.method === 'initialize') return openSession(sessions, exchange);
  const id = headerOf(exchange, 'mcp-session-id');
  if (id === undefined) {
    return refuse(res, 400, 'The header Mcp-Session-Id is missing: initialize answers with one.', idOf(exchange));
  }
  const session = sessions.find(id, owner);
  if (session) return session.handle(exchange);
  const text = 'Session not found: it has expired or never existed. Send initialize to open a new one.';
  respondWithError(res, 404, errorResponse(JSON_RPC_CODES.sessionNotFound, text, idOf(exchange).id));
}

async function openSession(sessions: SessionTable, exchange: Exchange): Promise<void> {
  const session = await sessions.open(exchange.owner);
  if (session) return session.handle(exchange);
  refuse(exchange.res, 503, 'Too many active sessions (Http.MaxSessions).', {
    ...idOf(exchange),
    headers: { 'retry-after': '5' },
  });
}
