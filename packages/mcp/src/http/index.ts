export { isLocalHost, isLoopback } from './address-check.js';
export { createHttpEndpoint, type HttpEndpoint } from './http-endpoint.js';
export type { Authentication, HttpEndpointOptions, RefusalReason, StatusWord } from './http-options.js';
export { type HttpOptions, type ServedHttp, serveHttp } from './serve-http.js';
