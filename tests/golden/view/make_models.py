"""Writes files of attention as people save it of today's models, and the weights that the models gave.

  pip install -r requirements.txt && python make_models.py

The models are small ones with random parameters, made from their configurations; nothing is downloaded. Queries and
keys are recorded by the recipe that the site shows, from `scaled_dot_product_attention`; the weights that they must
give are those of the same model with attention written out (`eager`). The recipes for PyTorch and TensorFlow are run
as they stand.
"""

import base64
import json
import os
import pathlib
import runpy
import sys
import tempfile
from functools import partial

import triton  # before TensorFlow, or their copies of LLVM clash
import keras
import numpy as np
import safetensors
import tensorflow as tf
import torch
import transformers
from safetensors.torch import save_file

HERE = pathlib.Path(__file__).parent
OUT = HERE / "models"
RECIPES = HERE.parents[2] / "web/site/recipes/view"
sys.path.append(str(RECIPES))
from attention_lab import record  # noqa: E402

VOCABULARY, SEED = 32, 7
TEXT = torch.tensor([[5, 9, 12, 7, 20]])
TOKENS = ["The", "Ġsea", "Ġand", "Ġthe", "Ġman"]
SIZES = {"vocab_size": VOCABULARY, "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2,
         "num_attention_heads": 4, "bos_token_id": None, "eos_token_id": None, "pad_token_id": 0}
GROUPED = {**SIZES, "num_key_value_heads": 2, "head_dim": 4}
MODELS = {
    "gpt2": lambda: transformers.GPT2LMHeadModel(transformers.GPT2Config(
        vocab_size=VOCABULARY, n_embd=16, n_layer=2, n_head=4, bos_token_id=None, eos_token_id=None)),
    "bert": lambda: transformers.BertModel(transformers.BertConfig(**SIZES)),
    "llama": lambda: transformers.LlamaForCausalLM(transformers.LlamaConfig(**GROUPED)),
    "qwen3": lambda: transformers.Qwen3ForCausalLM(transformers.Qwen3Config(**GROUPED)),
    "t5": lambda: transformers.T5ForConditionalGeneration(transformers.T5Config(
        vocab_size=VOCABULARY, d_model=16, d_kv=4, d_ff=16, num_layers=2, num_heads=4, decoder_start_token_id=0)),
}
expected = {}


def model_of(name, attention):
    """Returns a model with the same parameters for either kind of attention, large enough that heads differ."""
    torch.manual_seed(SEED)
    model = MODELS[name]().eval()
    model.set_attn_implementation(attention)
    for name, parameters in model.named_parameters():
        if parameters.dim() == 2 and "embed" not in name and "wte" not in name:
            parameters.data *= 8
    return model


def expect(file, attentions):
    """Notes the weights that a file must give: one array a layer, each of a batch of one."""
    weights = np.concatenate([np.asarray(layer, np.float32) for layer in attentions])
    data = base64.b64encode(weights.astype("<f4").tobytes()).decode()
    expected[file] = {"shape": weights.shape, "float32": data}


def write_weights():
    """Weights: one array a layer, JSON, .safetensors, a query after a cache, a cross attention."""
    attentions = model_of("gpt2", "eager")(TEXT, output_attentions=True).attentions
    np.savez(OUT / "gpt2.npz", *attentions)
    expect("gpt2.npz", attentions)

    attentions = model_of("bert", "eager")(TEXT, output_attentions=True).attentions
    lists = [layer.tolist() for layer in attentions]
    (OUT / "bert.json").write_text(json.dumps({"model": "bert", "attentions": lists, "tokens": TOKENS}))
    expect("bert.json", attentions)

    attentions = model_of("llama", "eager")(TEXT, output_attentions=True).attentions
    arrays = {f"model.layers.{i}.self_attn": layer for i, layer in enumerate(attentions)}
    save_file(arrays, OUT / "llama.safetensors", metadata={"tokens": json.dumps(TOKENS)})
    expect("llama.safetensors", attentions)
    torch.save(attentions, OUT / "llama.pt")

    model = model_of("qwen3", "eager")
    cache = model(TEXT[:, :-1], use_cache=True).past_key_values
    attentions = model(TEXT[:, -1:], cache=cache, output_attentions=True).attentions
    np.savez(OUT / "qwen3-cached.npz", attentions=np.stack(attentions), tokens=TOKENS)
    expect("qwen3-cached.npz", attentions)

    attentions = model_of("t5", "eager")(TEXT, decoder_input_ids=TEXT[:, :3], output_attentions=True).cross_attentions
    np.savez(OUT / "t5-cross.npz", weights=np.concatenate(attentions), tokens=TOKENS[:3], keyTokens=TOKENS)
    expect("t5-cross.npz", attentions)

    scores = torch.tensor([[0.3, -torch.inf], [-torch.inf, -torch.inf]])
    (OUT / "masked-row.json").write_text(json.dumps({"weights": scores.softmax(-1).tolist()}))


def write_pairs():
    """Queries and keys: causal, grouped, padded, after a cache, with a bias of the scores."""
    for name, prepare in {
        "gpt2": lambda model: partial(model, TEXT),
        "llama": lambda model: partial(model, TEXT),
        "bert-padded": lambda model: partial(model, TEXT, attention_mask=torch.tensor([[1, 1, 1, 0, 0]])),
        "qwen3-cached": lambda model: partial(model, TEXT[:, 2:], cache=model(TEXT[:, :2]).past_key_values),
        "t5-encoder": lambda model: partial(model.encoder, TEXT),
    }.items():
        kind = name.split("-")[0]
        np.savez_compressed(OUT / f"{name}-pair.npz", **record(prepare(model_of(kind, "sdpa"))))
        expect(f"{name}-pair.npz", prepare(model_of(kind, "eager"))(output_attentions=True).attentions)


def write_refused():
    """What cannot be read, and has to be named with its remedy."""
    model = model_of("llama", "sdpa")
    np.savez(OUT / "no-attentions.npz", *model(TEXT, output_attentions=True).attentions)  # an empty tuple
    hooked = {}
    for path, module in model.named_modules():
        if path.endswith(("q_proj", "k_proj")):
            module.register_forward_hook(lambda _, inputs, output, path=path: hooked.update({path: output}))
    model(TEXT)
    np.savez(OUT / "hooks.npz", **hooked)


def write_tensorflow():
    """Scores of Keras: the recipe, grouped heads, bfloat16, which NumPy does not have."""
    keras.utils.set_random_seed(SEED)
    x = tf.random.normal([1, 5, 8])
    layer = keras.layers.GroupQueryAttention(head_dim=4, num_query_heads=4, num_key_value_heads=2)
    scores = layer(x, x, use_causal_mask=True, return_attention_scores=True)[1]
    np.savez(OUT / "keras-grouped.npz", attention_scores=scores)
    expect("keras-grouped.npz", [scores])
    layer = keras.layers.MultiHeadAttention(num_heads=2, key_dim=4, dtype="bfloat16")
    np.savez(OUT / "keras-bfloat16.npz", layer(x, x, return_attention_scores=True)[1])


def run_recipes():
    """Runs the recipes, each in a folder of its own."""
    for name in ("pytorch", "tensorflow"):
        torch.manual_seed(SEED)
        keras.utils.set_random_seed(SEED)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            weights = runpy.run_path(str(RECIPES / f"{name}.py"))["weights"]
            pathlib.Path("attention.npz").rename(OUT / f"{name}-recipe.npz")
            os.chdir(HERE)
        expect(f"{name}-recipe.npz", [weights])


with torch.no_grad():
    write_weights()
    write_pairs()
    write_refused()
write_tensorflow()
run_recipes()
libraries = (torch, transformers, safetensors, np, tf, keras)
versions = {library.__name__: library.__version__ for library in libraries}
(HERE / "expected-models.json").write_text(json.dumps({"versions": versions, "weights": expected}, indent=1))
