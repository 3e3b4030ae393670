/** An error that an operator can correct. The service and the commands end with its one-line message, which says how, without a stack. */
export class OperatorError extends Error {}
