import { attentionOf, createTrainer } from 'attention-lab/language';

// `text` are the tokens on which the model trains, `sentence` those that are looked at.
export async function train(figure, model, text, sentence, { steps = 1000, every = 100 } = {}) {
  const trainer = createTrainer(model, { steps });
  figure.options = { causal: true };
  for (let step = 0; ; step += every) {
    const layers = attentionOf(trainer.model, sentence);
    const [query, key] = ['query', 'key'].map((name) => layers.map((layer) => layer[name]));
    figure.series = [...(figure.series ?? []), { step, query, key, tokens: sentence }];
    if (step >= steps) return trainer;
    await trainer.train(text, { steps: every });
  }
}
