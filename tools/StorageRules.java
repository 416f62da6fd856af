import com.google.common.collect.ImmutableMap;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.firebase.rules.lang.CompileResult;
import com.google.firebase.rules.lang.FirebaseRulesProtoCompiler;
import com.google.firebase.rules.runtime.common.AsyncRuntimeFunction;
import com.google.firebase.rules.runtime.common.Evaluator;
import com.google.firebase.rules.runtime.impl.DefaultEvaluator;
import com.google.firebase.rules.runtime.v1.ExpressionPathSegmentValue;
import com.google.firebase.rules.runtime.v1.ExpressionPathValue;
import com.google.firebase.rules.runtime.v1.ExpressionValue;
import com.google.firebase.rules.v1.File;
import com.google.firebase.rules.v1.Source;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.util.JsonFormat;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Answers firebase-tools' storage emulator with the rules engine of the Firestore emulator's jar.
 *
 * <p>One JSON request a line on stdin, `load_ruleset` or `verify`; one JSON answer a line on
 * stdout. tools/storage_rules.py compiles it where firebase-tools' own cannot be downloaded. Rules
 * that read Firestore are not served: an error in a rule refuses, as everywhere.
 */
public final class StorageRules {
  private final Map<String, Evaluator> rulesets = new HashMap<>();

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, "UTF-8");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    StorageRules rules = new StorageRules();
    out.println("{\"id\": -1, \"status\": \"ok\"}");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      out.println(rules.answer(new JsonParser().parse(line).getAsJsonObject()));
    }
  }

  private JsonObject answer(JsonObject request) {
    JsonObject answer = new JsonObject();
    JsonArray errors = new JsonArray();
    JsonObject context = request.getAsJsonObject("context");
    answer.add("id", request.get("id"));
    answer.addProperty("status", "ok");
    answer.add("errors", errors);
    answer.add("warnings", new JsonArray());
    try {
      boolean loads = request.get("action").getAsString().equals("load_ruleset");
      answer.add("result", loads ? load(context, errors) : verify(context));
    } catch (Exception error) {
      errors.add(new JsonPrimitive(error.toString()));
    }
    return answer;
  }

  private JsonObject load(JsonObject context, JsonArray errors) {
    JsonObject file =
        context.getAsJsonObject("source").getAsJsonArray("files").get(0).getAsJsonObject();
    String content = file.get("content").getAsString();
    File.Builder source = File.newBuilder().setName(file.get("name").getAsString());
    CompileResult compiled =
        FirebaseRulesProtoCompiler.createStandalone()
            .compile(Source.newBuilder().addFiles(source.setContent(content)).build());
    if (compiled.hasCompilationError()) {
      compiled.getIssues().forEach(issue -> errors.add(new JsonPrimitive(issue.toString())));
    } else {
      String name = context.get("rulesetName").getAsString();
      rulesets.put(name, new DefaultEvaluator(compiled.getRulesetAst()));
    }
    JsonObject result = new JsonObject();
    result.addProperty("rulesVersion", content.contains("rules_version = '2'") ? 2 : 1);
    return result;
  }

  private JsonObject verify(JsonObject context) throws Exception {
    Evaluator rules = rulesets.get(context.get("rulesetName").getAsString());
    JsonObject result = new JsonObject();
    result.addProperty("permit", rules.evaluate(new Request(context)).get().permit());
    return result;
  }

  /** One operation on one path, with the variables `request` and `resource`. */
  private static final class Request implements Evaluator.Context {
    private final JsonObject context;
    private final ExpressionPathValue path;
    private final ImmutableMap<String, Supplier<ListenableFuture<ExpressionValue>>> variables;

    Request(JsonObject context) throws Exception {
      this.context = context;
      ExpressionPathValue.Builder segments = ExpressionPathValue.newBuilder();
      for (String segment : context.get("path").getAsString().substring(1).split("/")) {
        segments.addSegments(ExpressionPathSegmentValue.newBuilder().setSimple(segment));
      }
      path = segments.build();
      ImmutableMap.Builder<String, Supplier<ListenableFuture<ExpressionValue>>> values =
          ImmutableMap.builder();
      for (Map.Entry<String, JsonElement> one :
          context.getAsJsonObject("variables").entrySet()) {
        ExpressionValue.Builder value = ExpressionValue.newBuilder();
        JsonFormat.parser().merge(one.getValue().toString(), value);
        ListenableFuture<ExpressionValue> ready = Futures.immediateFuture(value.build());
        values.put(one.getKey(), () -> ready);
      }
      variables = values.build();
    }

    @Override
    public String service() {
      return context.get("service").getAsString();
    }

    @Override
    public String method() {
      return context.get("method").getAsString();
    }

    @Override
    public ExpressionPathValue path() {
      return path;
    }

    @Override
    public ImmutableMap<String, Supplier<ListenableFuture<ExpressionValue>>> variables() {
      return variables;
    }

    @Override
    public ImmutableMap<String, AsyncRuntimeFunction> functions() {
      return ImmutableMap.of();
    }
  }
}
