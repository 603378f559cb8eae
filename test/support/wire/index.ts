/** A loopback server that speaks the wire formats of the model providers and misbehaves like them when told to. */
export { closedPort } from './closed-port.ts';
export type { FaultReason, FaultStatus, RetryAfter, StatusFault, WireFault } from './fault.ts';
export type { FaultExpectation, WireFaultCase } from './faults.ts';
export { FAULTS } from './faults.ts';
export type { WireFormat } from './format.ts';
export type { WireFinish, WireReply, WireToolCall, WireUsage } from './reply.ts';
export type { WireOutcome, WireRequest } from './request.ts';
export { isPromptPrefix, promptOf, sizeOf } from './request.ts';
export type { WireScript } from './script.ts';
export type { WireOptions, WireServer } from './server.ts';
export { startWireServer } from './server.ts';
