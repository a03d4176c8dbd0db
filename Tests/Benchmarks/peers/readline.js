// The loop that most Node programs use: readline, JSON.parse, one write for each reply.
const readline = require('node:readline');

readline.createInterface({ input: process.stdin, crlfDelay: Infinity }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const reply = method === 'ping'
    ? { jsonrpc: '2.0', id, result: { version: '1.0' } }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(JSON.stringify(reply) + '\n');
});
