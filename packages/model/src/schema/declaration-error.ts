/** A declaration contradicts itself or another one. The message is a sentence for its author. */
export class DeclarationError extends TypeError {}
