export default [
  {
    rules: {
      eqeqeq: "error",
      "no-var": "warn",
      "no-eval": "error",
    },
  },
];
