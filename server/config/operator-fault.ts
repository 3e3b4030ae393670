/** A fault that an operator can mend. Its message is one line that says how: the service and the commands end with it, without a stack. */
export class OperatorFault extends Error {}
