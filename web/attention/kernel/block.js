/** A place in the kernel's memory, valid until the `run` that allocated it ends. */
export class Block {
  /** @param {number} address in bytes */
  constructor(address) {
    this.address = address;
  }
}
