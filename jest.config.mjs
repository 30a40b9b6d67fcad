const swc = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'es6' },
  sourceMaps: 'inline',
}

/** Native ESM through swc; types are checked apart (tsconfig.test.json). */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/packages', '<rootDir>/services', '<rootDir>/tests', '<rootDir>/bench'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  modulePathIgnorePatterns: ['/dist/\\.tsbuildinfo'],
  // Waits have bounds of their own, which say for what. This one ends what hangs, in hooks too: the end of
  // a suite alone may stop a service, its servers and its database, each within a bound.
  testTimeout: 120_000,
  // Node.js 20 never frees the modules of a file that has been run: some 17 MB for each of hundreds (by
  // hand). A worker that has grown so large makes room for another between two files.
  workerIdleMemoryLimit: '512MB',
  // Nor does it end at once with so many: freeing them takes half a second, and more while others
  // use the processor. A worker that something still holds does not end in five either.
  workerGracefulExitTimeout: 5_000,
}
